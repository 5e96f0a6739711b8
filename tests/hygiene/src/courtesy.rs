//! Functions that a lint could mind, were the attribute careless.

use mcp_tool_runtime::{ToolHandler, mcp_tool, mcp_tools, tools};

/// Deprecated, and nobody calls it but its handle.
#[deprecated(note = "use another")]
#[mcp_tool]
pub async fn old(a: u8) -> u8 {
    a
}

/// Deprecated types inside.
#[mcp_tool]
#[deprecated]
pub async fn older(a: u8) -> u8 {
    a
}

/// Nothing is awaited in it.
#[mcp_tool]
#[must_use]
pub async fn idle() -> u8 {
    1
}

/// Only in this crate.
#[mcp_tool]
pub(crate) async fn inner(a: f64, b: f64) -> f64 {
    a + b
}

/// Arguments that clippy would rather borrow, and more of them than it likes.
#[mcp_tool]
#[expect(clippy::too_many_arguments)]
pub async fn many(text: String, one: u8, two: u8, three: u8, four: u8, five: u8, six: u8, seven: u8) -> usize {
    text.len() + usize::from(one + two + three + four + five + six + seven)
}

/// Lifetimes that are written.
#[mcp_tool]
pub async fn longest<'a>(a: &'a str, b: &'a str) -> &'a str {
    if a.len() > b.len() { a } else { b }
}

/// A service whose methods a lint could mind.
pub struct Idle;

#[mcp_tools]
impl Idle {
    /// Nothing is awaited in it.
    #[mcp_tool]
    #[must_use]
    pub async fn idle(&self) -> u8 {
        1
    }

    /// Deprecated, and only its handler calls it.
    #[deprecated(note = "use another")]
    #[mcp_tool]
    pub(crate) async fn old<'a>(&'a self, a: &'a str) -> &'a str {
        a
    }

    /// More arguments than clippy likes.
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

/// All of them.
#[must_use]
pub fn handlers() -> Vec<Box<dyn ToolHandler>> {
    tools![old, older, idle, inner, many, longest]
}
