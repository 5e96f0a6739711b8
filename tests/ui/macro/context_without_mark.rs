use mcp_tool_runtime::CallContext;
use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(cx: &CallContext) -> i64 {
    let _ = cx;
    0
}

fn main() {
    let _ = tools![add];
}
