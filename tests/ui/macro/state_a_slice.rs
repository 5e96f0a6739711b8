use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(state)] log: &[String]) -> i64 {
    let _ = log;
    0
}

fn main() {
    let _ = tools![add];
}
