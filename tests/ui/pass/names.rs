//! Names that could conflict with the code that the attribute emits.

use mcp_tool_runtime::{mcp_tool, tools};

/// A parameter named like its function, and like what the attribute uses inside.
#[mcp_tool]
async fn name(name: String, arguments: u8, __value: u8, __arguments: u8, __output: u8, __context: u8) -> String {
    format!("{name}{arguments}{__value}{__arguments}{__output}{__context}")
}

/// Keywords.
#[mcp_tool]
async fn r#match(r#type: String, mut r#fn: u8) -> String {
    r#fn += 1;
    format!("{type}{fn}", type = r#type, fn = r#fn)
}

#[allow(non_snake_case)]
mod upper {
    /// A function named like a type, in a module of its own.
    #[mcp_tool_runtime::mcp_tool]
    pub(super) async fn Search(query: &str) -> usize {
        query.len()
    }
}

/// A handle is a type, so it makes the name of a crate ambiguous. `::` in front of the crate says which is meant.
mod named_like_a_crate {
    use ::thiserror::Error;

    #[derive(Debug, Error)]
    #[error("it failed")]
    pub(super) struct Failed;

    /// A tool named like a crate.
    #[mcp_tool_runtime::mcp_tool]
    pub(super) async fn thiserror() -> String {
        Failed.to_string()
    }
}

mod with_another_handle {
    use serde::Serialize;

    #[derive(Serialize)]
    struct Format {
        name: &'static str,
    }

    /// A tool named like a crate, with a handle that has another name.
    #[mcp_tool_runtime::mcp_tool(handler = SerdeTool)]
    pub(super) async fn serde() -> String {
        mcp_tool_runtime::json!(Format { name: "json" }).to_string()
    }
}

#[test]
fn runs() {
    /// Inside a function.
    #[mcp_tool]
    async fn inner(a: u8) -> u8 {
        a
    }

    let tools =
        tools![name, r#match, upper::Search, inner, named_like_a_crate::thiserror, with_another_handle::SerdeTool];
    let names: Vec<_> = tools.iter().map(|tool| tool.definition().name).collect();
    assert_eq!(names, ["name", "match", "Search", "inner", "thiserror", "serde"]);
    assert!(tools[1].definition().input_schema["properties"].get("type").is_some());
}
