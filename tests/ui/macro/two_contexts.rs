use mcp_tool_runtime::CallContext;
use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(context)] one: &CallContext, #[mcp_tool(context)] two: &CallContext) -> i64 {
    let _ = one;
    let _ = two;
    0
}

fn main() {
    let _ = tools![add];
}
