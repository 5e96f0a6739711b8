use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> Result<rmcp::model::CallToolResult, rmcp::ErrorData> {
    todo!("{a} {b}")
}

fn main() {
    let _ = tools![add];
}
