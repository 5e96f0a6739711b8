use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(extension)] user: Option<&str>) -> i64 {
    let _ = user;
    0
}

fn main() {
    let _ = tools![add];
}
