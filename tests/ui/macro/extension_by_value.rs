use mcp_tool_runtime::{mcp_tool, tools};

struct User;

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(extension)] user: User) -> i64 {
    let _ = user;
    0
}

fn main() {
    let _ = tools![add];
}
