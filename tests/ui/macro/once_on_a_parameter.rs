use mcp_tool_runtime::{mcp_tool, tools};

/// Add numbers.
#[mcp_tool]
async fn add(#[mcp_tool(once = "10m")] a: i64) -> i64 {
    a
}

fn main() {
    let _ = tools![add];
}
