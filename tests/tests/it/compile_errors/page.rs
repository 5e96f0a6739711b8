//! Writes the page "When it does not compile", which has the most common mistakes.

use std::fmt::Write as _;

use super::case::{Case, Report};

/// A chapter of the page.
pub(crate) struct Chapter {
    title: &'static str,
    introduction: &'static str,
    /// The name of each case, and its caption.
    cases: &'static [(&'static str, &'static str)],
}

const CHAPTERS: [Chapter; 14] = [
    Chapter {
        title: "The function itself",
        introduction: "A tool is an async function with concrete types, and its future is `Send`.",
        cases: &[
            ("not_async", "The function is not async"),
            ("generic_type_param", "The function has a type parameter"),
            ("future_not_send", "The future is not `Send`"),
        ],
    },
    Chapter {
        title: "The place of the attribute",
        introduction: "`#[mcp_tool]` goes on an async function, once.",
        cases: &[("on_impl", "The attribute is on an impl block")],
    },
    Chapter {
        title: "Parameters",
        introduction: "A parameter is one argument. It has a name and a type that implements `Deserialize` and `JsonSchema`.\n\n\
               If rustc says that an implementation of `Deserialize` is not general enough, a type borrows, as `Filter<'static>` does. Arguments outlive their\n\
               request, so write `String` instead of `&str`, and remove the lifetime.",
        cases: &[
            ("argument_without_deserialize", "The type of a parameter does not implement `Deserialize`"),
            ("argument_without_json_schema", "The type of a parameter does not implement `JsonSchema`"),
            ("argument_without_derives", "The type of a parameter implements neither trait"),
            ("argument_nested_without_json_schema", "The type of a field does not implement `JsonSchema`"),
            (
                "argument_nested_of_another_crate",
                "The type of a field is of another crate (`chrono`, `uuid`, `url`, …), and does not implement `JsonSchema`",
            ),
            ("nullable_as_a_type", "`Nullable` is the type of a field"),
            ("nullable_on_a_single_option", "The field of `with = \"Nullable::<T>\"` is an `Option<T>`"),
            ("nullable_in_a_generic_struct", "The struct of `with = \"Nullable::<T>\"` has a type parameter"),
            ("mut_reference", "A parameter is a mutable reference"),
        ],
    },
    Chapter {
        title: "Defaults, examples, headers",
        introduction: "`#[mcp_tool(default = …)]`, `#[mcp_tool(example = …)]` and `#[mcp_tool(header = \"…\")]` go on a parameter.",
        cases: &[
            ("argument_default_without_default", "A type does not implement `Default`"),
            ("default_of_another_type", "The default has another type than the parameter"),
            ("header_on_a_float", "A float cannot be repeated in a header"),
        ],
    },
    Chapter {
        title: "Context, state, extensions",
        introduction: "A parameter that no client sends is a reference, and has an attribute that says where \
               its value comes from.",
        cases: &[
            ("context_without_mark", "The context has no attribute"),
            ("context_by_value", "The context is not a reference"),
            ("state_without_mark", "The state has no attribute"),
            ("state_not_sync", "The state is not `Sync`"),
        ],
    },
    Chapter {
        title: "Questions",
        introduction: "`#[mcp_tool(ask = \"…\")]` goes on a parameter that the user answers. The question is \
               a format string that can use other parameters, or a function call.",
        cases: &[
            ("ask_unknown_name", "The question names a parameter that does not exist"),
            ("ask_missing_on_an_answer", "The answer of the user has no question"),
        ],
    },
    Chapter {
        title: "Results",
        introduction: "A result implements `Serialize` and `JsonSchema`, consists of content blocks, or \
               implements `ToolOutput`.",
        cases: &[
            ("result_without_serialize", "The result does not implement `Serialize`"),
            ("result_without_json_schema", "The result does not implement `JsonSchema`"),
            ("impl_trait_return", "The result is an `impl Trait`"),
        ],
    },
    Chapter {
        title: "Errors",
        introduction: "The error of a tool is a `ToolError`, a string, or a type with \
               `#[derive(IntoToolError)]`. It can also be any other type with `Display`, but its message is then \
               hidden from the model.",
        cases: &[
            ("error_without_display", "The error does not implement `Display`"),
            (
                "result_without_derives_or_error",
                "The value inside a `Result` implements neither `Serialize` nor `JsonSchema`",
            ),
            ("derive_without_display", "The error derives `IntoToolError` without `Display`"),
        ],
    },
    Chapter {
        title: "Names, titles, descriptions",
        introduction: "A name consists of 1 to 128 of the characters `A-Z a-z 0-9 _ . -`. The description is the doc comment.",
        cases: &[
            ("no_description", "The function has no doc comment"),
            ("name_bad_character", "The name has a character that no name can have"),
        ],
    },
    Chapter {
        title: "Values of keys",
        introduction: "The values that each key accepts are in the table at [`mcp_tool`](macro@crate::mcp_tool).",
        cases: &[
            ("timeout_without_unit", "The time-out has no unit"),
            ("input_schema_of_another_type", "The function for the schema returns another type"),
        ],
    },
    Chapter {
        title: "Keys",
        introduction: "Keys are separated by commas. A flag is written alone, or with `= true` or `= false`.",
        cases: &[
            ("unknown_key", "The key does not exist"),
            ("missing_comma", "A comma is missing"),
            ("contradictory_hints", "Two hints contradict each other"),
        ],
    },
    Chapter {
        title: "Attributes and types of other libraries",
        introduction: "These errors occur when you move a server from another library, in most cases from \
               rmcp, the official SDK. The guide [`from_rmcp`](crate::guide::from_rmcp) lists all replacements.",
        cases: &[
            ("rmcp_parameters", "The parameters are in rmcp's `Parameters`"),
            ("rmcp_request_context", "The context is that of rmcp"),
            ("rmcp_tool_router", "The impl block still has an attribute of rmcp"),
        ],
    },
    Chapter {
        title: "Methods",
        introduction: "`#[mcp_tools]` goes on the impl block, `#[mcp_tool]` on each method that is a tool. The receiver of a \
               method is `&self` or `self: Arc<Self>`.",
        cases: &[
            ("method_without_mcp_tools", "The impl block of a method has no `#[mcp_tools]`"),
            ("method_mut_self", "The method takes `&mut self`"),
            ("mcp_tools_without_a_tool", "No method of the impl block has `#[mcp_tool]`"),
            ("mcp_tools_twice", "Two impl blocks of a type have `#[mcp_tools]` without `part`"),
            ("mcp_tools_part_without_the_keys_of_the_main_block", "A part of a service lacks a key of the main block"),
        ],
    },
    Chapter {
        title: "Lists and builders",
        introduction: "`tools![…]` takes the names of functions with `#[mcp_tool]`. `.tool(name {})` registers one of them, \
               `.service(object)` an object with `#[mcp_tools]` on its impl block.",
        cases: &[
            ("list_not_a_tool", "The list names a function without `#[mcp_tool]`"),
            ("builder_given_the_function", "The builder gets the function, and not its tool"),
            ("service_without_mcp_tools", "The impl block of a service has no `#[mcp_tools]`"),
            ("service_behind_a_lock", "The service is behind a lock"),
        ],
    },
];

/// Returns the names of all cases of the page.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    CHAPTERS.iter().flat_map(|chapter| chapter.cases.iter().map(|(name, _)| *name))
}

pub(crate) fn page(cases: &[Case]) -> String {
    let mut page = String::from(
        "Find out what a compile error in a tool means, and what to write instead.\n\
         \n\
         One build reports all mistakes that the attributes can detect. After you fix them, the compiler checks the \
         types, and reports a missing trait at the type that lacks it. Most errors have a `help:` line that says what \
         to write.\n\
         \n\
         This page shows the most common mistakes. The \
         [repository](https://github.com/mcp-tool/mcp-tool/tree/main/tests/ui) has test cases for these and many more. \
         There, the `.stderr` file beside each case contains the complete message. If the message does not say what to \
         do, a comment at the top of the case does: `// Help:` or `// Write:`.\n",
    );
    for chapter in &CHAPTERS {
        let _ = write!(page, "\n# {}\n\n{}\n", chapter.title, chapter.introduction);
        for (name, caption) in chapter.cases {
            if let Some(case) = cases.iter().find(|case| case.has_name(name)) {
                let _ = write!(page, "\n{}\n", entry(case, caption));
            }
        }
    }
    page
}

fn entry(case: &Case, caption: &str) -> String {
    let mut entry = format!("{caption}:\n\n```text\n");
    let Some(error) = case.errors.first() else { return entry };
    let _ = writeln!(entry, "error: {}", plain(&error.message));
    if let Some((source, caret)) = &error.marked {
        let indent = source.len() - source.trim_start().len();
        let caret = caret.get(indent..).unwrap_or(caret);
        let _ = writeln!(entry, "  | {}\n  | {}", source.trim(), plain(caret.trim_end()));
    }
    if let Some(advice) = &case.advice {
        // The help is rustc's, and misses the cause.
        let _ = write!(entry, "```\n\n{advice}");
        return entry;
    }
    for help in helps(case, error) {
        let _ = writeln!(entry, "help: {help}");
    }
    entry.push_str("```");
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
