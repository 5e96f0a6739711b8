use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(example = "three")] a: i64) -> i64 {
    a
}

fn main() {
    let _ = tools![add];
}
