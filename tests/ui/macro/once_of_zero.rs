use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool(once = "0m")]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
