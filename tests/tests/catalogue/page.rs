//! The page "When it does not compile".

use std::fmt::Write as _;

use crate::case::{Case, Report, capitalised};

/// A chapter of the page, and the cases that it takes: by what their names begin with.
pub(crate) struct Chapter {
    title: &'static str,
    says: &'static str,
    begins: &'static [&'static str],
}

impl Chapter {
    /// How much of the name of a case the chapter has.
    fn takes(&self, name: &str) -> Option<usize> {
        let name = name.split_once('/').map_or(name, |(_, name)| name);
        self.begins.iter().filter(|begin| name.starts_with(**begin)).map(|begin| begin.len()).max()
    }
}

/// The chapter that has the most of a name.
pub(crate) fn chapter_of(case: &Case) -> Option<usize> {
    let taken = CHAPTERS.iter().enumerate().filter_map(|(place, chapter)| Some((chapter.takes(&case.name)?, place)));
    taken.max().map(|(_, place)| place)
}

const CHAPTERS: [Chapter; 12] = [
    Chapter {
        title: "The function itself",
        says: "A tool is an async function of one form, and its future can move between threads.",
        begins: &[
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
        title: "Where the attribute stands",
        says: "`#[mcp_tool]` stands on an async function, once.",
        begins: &["on_", "attribute_twice", "derive_in_place", "written_by_a_macro"],
    },
    Chapter {
        title: "Parameters",
        says: "A parameter is one argument: a name, and one type that can be read and has a schema.",
        begins: &[
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
            "optional_as_a_key",
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
            "wildcard_parameter",
        ],
    },
    Chapter {
        title: "Defaults, examples, headers",
        says: "`#[mcp_tool(default = …)]`, `#[mcp_tool(example = …)]` and `#[mcp_tool(header = \"…\")]` stand on a parameter.",
        begins: &["default_", "example_", "header_", "argument_default"],
    },
    Chapter {
        title: "What is no argument: context, state, extensions",
        says: "What no client sends is marked, and lent to the function.",
        begins: &["context_", "state_", "extension_", "two_contexts", "two_roles"],
    },
    Chapter {
        title: "Results",
        says: "A result can be serialised and has a schema, or is made of content, or implements `ToolOutput`.",
        begins: &[
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
        says: "The error of a tool is a `ToolError`, a text, a type with `#[derive(IntoToolError)]`, or any type with \
               `Display`, whose words are then hidden from the model.",
        begins: &["error_", "derive_", "result_without_derives_or_error"],
    },
    Chapter {
        title: "Names, titles, descriptions",
        says: "A name has 1 to 128 of the characters `A-Z a-z 0-9 _ . -`. The description is the doc comment.",
        begins: &["name", "title_", "description_", "empty_description", "no_description", "function_name", "handler_"],
    },
    Chapter {
        title: "Keys that need a value of their own kind",
        says: "What each key takes is in the table at [`mcp_tool`](macro@crate::mcp_tool).",
        begins: &["timeout_", "icon_", "meta_", "crate_", "blocking_", "input_schema_", "root_union_", "running"],
    },
    Chapter {
        title: "Keys",
        says: "A list of keys has commas between them; a flag stands alone or takes `true` or `false`.",
        begins: &[
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
        title: "Methods",
        says: "`#[mcp_tools]` stands on the impl block, `#[mcp_tool]` on each method that is a tool. A method takes its \
               object as `&self` or `self: Arc<Self>`.",
        begins: &["mcp_tools_", "method", "associated_function", "mcp_tool_on_a_method"],
    },
    Chapter {
        title: "Lists and builders",
        says: "`tools![…]` takes the names of functions with `#[mcp_tool]`; `.tool(name {})` one of them alone, \
               `.service(object)` an object with `#[mcp_tools]` on its impl block.",
        begins: &["list_", "builder_", "method_given_to_tools", "service_", "handler_by_hand"],
    },
];

pub(crate) fn page(cases: &[Case]) -> String {
    let mut page = String::from(
        "What the compiler says to a tool that is not one, and what to write instead.\n\
         \n\
         Every message here is that of a case in the tests of the project, shortened to its first line, its place and its \
         help. Search the page for the words that you read.\n\
         \n\
         All that the attributes can see is told in one run. What needs types comes after, from the compiler: first the \
         trait that a type lacks, at the type.\n",
    );
    for (place, chapter) in CHAPTERS.iter().enumerate() {
        let _ = write!(page, "\n# {}\n\n{}\n", chapter.title, chapter.says);
        for case in cases.iter().filter(|case| !case.is_several() && chapter_of(case) == Some(place)) {
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
    if let Some((source, caret)) = &error.place {
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

/// The help of the first error, or where it has none that of another.
fn helps(case: &Case, first: &Report) -> Vec<String> {
    let errors = std::iter::once(first).chain(&case.errors);
    let helps = errors.map(|error| &error.helps).find(|helps| !helps.is_empty());
    helps.into_iter().flatten().map(|help| plain(help)).collect()
}

/// Names without the way to them.
fn plain(text: &str) -> String {
    let prefixes = ["mcp_tool_runtime::__private::", "std::option::", "std::string::", "std::sync::Mutex"];
    let text = text.replace(prefixes[3], "Mutex");
    prefixes[..3].iter().fold(text, |text, prefix| text.replace(prefix, ""))
}
