//! Tools in function bodies, with names that are keywords or already used.

use mcp_tool_runtime::{ToolHandler, mcp_tool, tools};

/// Returns tools that are private to this function.
#[must_use]
pub fn tools() -> Vec<Box<dyn ToolHandler>> {
    /// The function and its parameter have keywords as names.
    #[mcp_tool]
    async fn r#match(r#type: &str, r#fn: u8) -> String {
        format!("{} {}", r#type.trim(), r#fn + 1)
    }

    /// A parameter named like its function.
    #[mcp_tool]
    async fn echo(echo: String) -> String {
        echo
    }

    /// A type that is private to a function body.
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

/// Tools with the names of the crates that generated code uses.
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

    /// Returns all tools.
    #[must_use]
    pub fn tools() -> Vec<Box<dyn ::mcp_tool_runtime::ToolHandler>> {
        ::mcp_tool_runtime::tools![serde, schemars, core, mcp_tool_runtime]
    }
}
