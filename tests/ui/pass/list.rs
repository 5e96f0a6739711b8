//! Lists: empty, one tool, a trailing comma, paths, `cfg`, a handwritten handler.

use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, Output, ToolError, ToolHandler, ToolMetadata, json, mcp, tools,
};

mod numbers {
    /// Add two numbers.
    #[mcp_tool_runtime::mcp_tool]
    pub async fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    /// Not there, and neither is its handle.
    #[cfg(any())]
    #[mcp_tool_runtime::mcp_tool]
    pub async fn gone() {}
}

#[allow(non_camel_case_types)]
struct by_hand {}

impl ToolHandler for by_hand {
    fn definition(&self) -> mcp::Tool {
        mcp::Tool::new("by_hand", "By hand.", json!({"type": "object"}))
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, _: &'a CallContext, _: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async { Output::value(1) })
    }
}

mod reexported {
    pub use super::numbers::add as sum;
}

#[test]
fn runs() {
    assert!(tools![].is_empty());
    assert_eq!(tools![numbers::add].len(), 1);
    assert_eq!(
        tools![
            self::numbers::add,
            #[cfg(any())]
            numbers::gone,
            by_hand,
        ]
        .len(),
        2
    );
    assert_eq!(
        tools![
            crate::pass::list::reexported::sum,
            #[cfg(all())]
            by_hand
        ]
        .len(),
        2
    );
}
