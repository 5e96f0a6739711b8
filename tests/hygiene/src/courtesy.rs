//! Functions for which careless generated code would trigger lints.

use mcp_tool_runtime::{ToolHandler, mcp_tool, mcp_tools, tools};

/// A deprecated function that only its handle calls.
#[deprecated(note = "use another")]
#[mcp_tool]
pub async fn old(a: u8) -> u8 {
    a
}

/// Deprecated types in the body.
#[mcp_tool]
#[deprecated]
pub async fn older(a: u8) -> u8 {
    a
}

/// An async function without an await.
#[mcp_tool]
#[must_use]
pub async fn idle() -> u8 {
    1
}

/// A function that is only visible in this crate.
#[mcp_tool]
pub(crate) async fn inner(a: f64, b: f64) -> f64 {
    a + b
}

/// Too many arguments for clippy, and arguments that it would borrow.
#[mcp_tool]
#[expect(clippy::too_many_arguments)]
pub async fn many(text: String, one: u8, two: u8, three: u8, four: u8, five: u8, six: u8, seven: u8) -> usize {
    text.len() + usize::from(one + two + three + four + five + six + seven)
}

/// Explicit lifetimes.
#[mcp_tool]
pub async fn longest<'a>(a: &'a str, b: &'a str) -> &'a str {
    if a.len() > b.len() { a } else { b }
}

/// A service for whose methods careless generated code would trigger lints.
pub struct Idle;

#[mcp_tools]
impl Idle {
    /// An async function without an await.
    #[mcp_tool]
    #[must_use]
    pub async fn idle(&self) -> u8 {
        1
    }

    /// A deprecated method that only its handle calls.
    #[deprecated(note = "use another")]
    #[mcp_tool]
    pub(crate) async fn old<'a>(&'a self, a: &'a str) -> &'a str {
        a
    }

    /// Too many arguments for clippy.
    #[mcp_tool]
    #[expect(clippy::too_many_arguments, clippy::many_single_char_names)]
    async fn many(
        &self,
        text: &str,
        one: u8,
        two: u8,
        #[mcp_tool(default = 0)] a: u8,
        #[mcp_tool(default = 0)] b: u8,
        #[mcp_tool(default = 0)] c: u8,
        #[mcp_tool(default = 0)] d: u8,
        #[mcp_tool(default = 0)] e: u8,
    ) -> usize {
        let _ = text;
        usize::from(one + two + a + b + c + d + e)
    }
}

/// Returns all tools.
#[must_use]
pub fn handlers() -> Vec<Box<dyn ToolHandler>> {
    tools![old, older, idle, inner, many, longest]
}
