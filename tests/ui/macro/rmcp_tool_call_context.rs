use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(context: ToolCallContext<'_, Calculator>) -> i64 {
    0
}

fn main() {
    let _ = tools![add];
}
