use mcp_tool_runtime::{mcp_tool, tools};

struct User(std::cell::Cell<u8>);

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(extension)] user: &User) -> i64 {
    i64::from(user.0.get())
}

fn main() {
    let _ = tools![add];
}
