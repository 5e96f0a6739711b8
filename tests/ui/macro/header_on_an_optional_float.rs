use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(header = "Share")] share: Option<f32>) -> i64 {
    let _ = share;
    0
}

fn main() {
    let _ = tools![add];
}
