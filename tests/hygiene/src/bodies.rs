//! Tools in the bodies of functions, with names that are keywords or stand elsewhere already.

use mcp_tool_runtime::{ToolHandler, mcp_tool, tools};

/// Tools that no other item can name.
#[must_use]
pub fn tools() -> Vec<Box<dyn ToolHandler>> {
    /// A parameter that is a keyword, in a function that is one.
    #[mcp_tool]
    async fn r#match(r#type: &str, r#fn: u8) -> String {
        format!("{} {}", r#type.trim(), r#fn + 1)
    }

    /// A parameter named like its function.
    #[mcp_tool]
    async fn echo(echo: String) -> String {
        echo
    }

    /// Types that are as private as can be.
    #[mcp_tool]
    async fn local(place: Local) -> Local {
        place
    }

    #[derive(
        mcp_tool_runtime::serde::Serialize, mcp_tool_runtime::serde::Deserialize, mcp_tool_runtime::schemars::JsonSchema,
    )]
    #[serde(crate = "mcp_tool_runtime::serde")]
    #[schemars(crate = "mcp_tool_runtime::schemars")]
    struct Local {
        a: u8,
    }

    tools![r#match, echo, local]
}

/// A tool for each of the crates whose names generated code uses.
pub mod crates {
    use ::mcp_tool_runtime::mcp_tool;

    /// Serde.
    #[mcp_tool]
    pub async fn serde(#[serde(default)] a: u8) -> Option<u8> {
        Some(a)
    }

    /// Schemars.
    #[mcp_tool]
    pub async fn schemars(#[schemars(range(max = 5))] a: u8) -> Option<u8> {
        Some(a)
    }

    /// The standard library.
    #[mcp_tool]
    pub async fn core() -> Option<u8> {
        None
    }

    /// The runtime.
    #[mcp_tool]
    pub async fn mcp_tool_runtime() -> Option<u8> {
        None
    }

    /// All of them.
    #[must_use]
    pub fn tools() -> Vec<Box<dyn ::mcp_tool_runtime::ToolHandler>> {
        ::mcp_tool_runtime::tools![serde, schemars, core, mcp_tool_runtime]
    }
}
