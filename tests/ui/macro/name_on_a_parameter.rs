use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(name = "first")] a: i64) -> i64 {
    let _ = a;
    0
}

fn main() {
    let _ = tools![add];
}
