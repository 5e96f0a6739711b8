use mcp_tool_runtime::{mcp::CallToolResult, mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> CallToolResult {
    todo!("{a} {b}")
}

fn main() {
    let _ = tools![add];
}
