use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(#[tool(param)] a: i64) -> i64 {
    a
}

fn main() {
    let _ = tools![add];
}
