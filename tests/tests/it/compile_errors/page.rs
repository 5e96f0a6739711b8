//! Writes the page "When it does not compile".

use std::fmt::Write as _;

use super::case::{Case, Report, capitalised};

/// A chapter of the page.
pub(crate) struct Chapter {
    title: &'static str,
    introduction: &'static str,
    /// The chapter has the cases whose names start with one of these.
    prefixes: &'static [&'static str],
}

impl Chapter {
    /// Returns the length of the longest prefix that the name of a case starts with.
    fn longest_prefix(&self, name: &str) -> Option<usize> {
        let name = name.split_once('/').map_or(name, |(_, name)| name);
        self.prefixes.iter().filter(|prefix| name.starts_with(**prefix)).map(|prefix| prefix.len()).max()
    }
}

/// Returns the index of the chapter with the longest prefix of the case's name.
pub(crate) fn chapter_of(case: &Case) -> Option<usize> {
    let lengths = CHAPTERS.iter().map(|chapter| chapter.longest_prefix(&case.name));
    lengths.enumerate().filter_map(|(index, length)| Some((length?, index))).max().map(|(_, index)| index)
}

const CHAPTERS: [Chapter; 14] = [
    Chapter {
        title: "The function itself",
        introduction: "A tool is an async function with concrete types, and its future is `Send`.",
        prefixes: &[
            "not_async",
            "const_",
            "unsafe_fn",
            "extern_fn",
            "generic_",
            "function_",
            "future_",
            "body_",
            "call_with",
            "variadic",
        ],
    },
    Chapter {
        title: "The place of the attribute",
        introduction: "`#[mcp_tool]` goes on an async function, once.",
        prefixes: &["on_", "attribute_twice", "derive_in_place", "written_by_a_macro"],
    },
    Chapter {
        title: "Parameters",
        introduction: "A parameter is one argument. It has a name and a type that implements `Deserialize` and `JsonSchema`.",
        prefixes: &[
            "argument",
            "alias_clash",
            "attribute_of_a_field",
            "bare_mcp_tool_on_parameter",
            "cfg_on_parameter",
            "description_on_a_parameter",
            "destructured_parameter",
            "empty_mcp_tool_on_parameter",
            "impl_trait",
            "key_of_the_tool_on_a_parameter",
            "mut_reference",
            "name_on_a_parameter",
            "optional_a",
            "pattern_as_a_key",
            "parameter",
            "range_as_a_key",
            "ref_parameter",
            "required_in_serde",
            "schema_",
            "serde_name",
            "two_arguments",
            "two_properties",
            "unknown_parameter_key",
            "unused_parameter",
            "wildcard_parameter",
        ],
    },
    Chapter {
        title: "Defaults, examples, headers",
        introduction: "`#[mcp_tool(default = …)]`, `#[mcp_tool(example = …)]` and `#[mcp_tool(header = \"…\")]` go on a parameter.",
        prefixes: &["default_", "example_", "header_", "argument_default"],
    },
    Chapter {
        title: "Context, state, extensions",
        introduction: "A parameter that no client sends has an attribute that says where it comes from, and is a reference.",
        prefixes: &["context_", "state_", "extension_", "two_contexts", "two_roles"],
    },
    Chapter {
        title: "Questions",
        introduction: "`#[mcp_tool(ask = \"…\")]` goes on a parameter that the user answers. The question is a text with other parameters in \
               braces, or a call of a function.",
        prefixes: &["ask_", "sealed_"],
    },
    Chapter {
        title: "Results",
        introduction: "A result implements `Serialize` and `JsonSchema`, or consists of content, or implements `ToolOutput`.",
        prefixes: &[
            "result_",
            "output_",
            "impl_trait_return",
            "impl_trait_inside_return",
            "text_",
            "schema_of_another_type",
        ],
    },
    Chapter {
        title: "Errors",
        introduction: "The error of a tool is a `ToolError`, a string, a type with `#[derive(IntoToolError)]`, or any type with \
               `Display`, whose message is then hidden from the model.",
        prefixes: &["error_", "derive_", "result_without_derives_or_error"],
    },
    Chapter {
        title: "Names, titles, descriptions",
        introduction: "A name consists of 1 to 128 of the characters `A-Z a-z 0-9 _ . -`. The description is the doc comment.",
        prefixes: &[
            "name",
            "title_",
            "description_",
            "empty_description",
            "no_description",
            "function_name",
            "handler_",
        ],
    },
    Chapter {
        title: "Values of keys",
        introduction: "The values that each key accepts are in the table at [`mcp_tool`](macro@crate::mcp_tool).",
        prefixes: &[
            "timeout_",
            "icon_",
            "meta_",
            "crate_",
            "blocking_",
            "input_schema_",
            "root_union_",
            "running",
            "scopes_",
            "tags_",
        ],
    },
    Chapter {
        title: "Keys",
        introduction: "Keys are separated by commas. A flag has no value, `true` or `false`.",
        prefixes: &[
            "key_",
            "deprecated_as_a_key",
            "hints_as_a_list",
            "unknown_key",
            "flag_",
            "missing_comma",
            "contradictory_hints",
            "annotations_as_a_list",
        ],
    },
    Chapter {
        title: "Attributes and types of other libraries",
        introduction: "What is left when a server moves from another library, most of it from rmcp, the official SDK. The guide \
               [`from_rmcp`](crate::guide::from_rmcp) has a table of everything.",
        prefixes: &["rmcp_", "turbomcp_", "tower_mcp_", "result_of_the_protocol"],
    },
    Chapter {
        title: "Methods",
        introduction: "`#[mcp_tools]` goes on the impl block, `#[mcp_tool]` on each method that is a tool. The receiver of a \
               method is `&self` or `self: Arc<Self>`.",
        prefixes: &["mcp_tools_", "method", "associated_function", "mcp_tool_on_a_method"],
    },
    Chapter {
        title: "Lists and builders",
        introduction: "`tools![…]` takes the names of functions with `#[mcp_tool]`. `.tool(name {})` registers one of them, \
               `.service(object)` an object with `#[mcp_tools]` on its impl block.",
        prefixes: &["list_", "builder_", "method_given_to_tools", "service_", "handler_by_hand"],
    },
];

pub(crate) fn page(cases: &[Case]) -> String {
    let mut page = String::from(
        "What the compiler says when a tool is wrong, and what to write instead.\n\
         \n\
         Search this page for the text of your error. Each entry is a test case of this project, and shows the message, the \
         marked code and the help.\n\
         \n\
         The attributes report all mistakes that they can see in one run. When those are gone, the compiler checks the \
         types, and reports a missing trait at the type that lacks it.\n",
    );
    for (index, chapter) in CHAPTERS.iter().enumerate() {
        let _ = write!(page, "\n# {}\n\n{}\n", chapter.title, chapter.introduction);
        for case in cases.iter().filter(|case| !case.has_several_mistakes() && chapter_of(case) == Some(index)) {
            let _ = write!(page, "\n{}\n", entry(case));
        }
    }
    page
}

fn entry(case: &Case) -> String {
    let name = case.name.split_once('/').map_or(case.name.as_str(), |(_, name)| name);
    let title = capitalised(&name.replace('_', " "));
    let mut entry = format!("{title}:\n\n```text\n");
    let Some(error) = case.errors.first() else { return entry };
    let _ = writeln!(entry, "error: {}", plain(&error.message));
    if let Some((source, caret)) = &error.marked {
        let indent = source.len() - source.trim_start().len();
        let caret = caret.get(indent..).unwrap_or(caret);
        let _ = writeln!(entry, "  | {}\n  | {}", source.trim(), plain(caret.trim_end()));
    }
    let helps = helps(case, error);
    for help in &helps {
        let _ = writeln!(entry, "help: {help}");
    }
    entry.push_str("```");
    if let Some(advice) = case.advice.as_ref().filter(|_| helps.is_empty()) {
        let _ = write!(entry, "\n\n{advice}");
    }
    entry
}

/// Returns the help of the first error that has some.
fn helps(case: &Case, first: &Report) -> Vec<String> {
    let errors = std::iter::once(first).chain(&case.errors);
    let helps = errors.map(|error| &error.helps).find(|helps| !helps.is_empty());
    helps.into_iter().flatten().map(|help| plain(help)).collect()
}

/// Removes the paths from well-known names.
fn plain(text: &str) -> String {
    let prefixes = ["mcp_tool_runtime::__private::", "std::option::", "std::string::", "std::sync::Mutex"];
    let text = text.replace(prefixes[3], "Mutex");
    prefixes[..3].iter().fold(text, |text, prefix| text.replace(prefix, ""))
}
