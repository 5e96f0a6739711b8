use mcp_tool_runtime::{mcp_tool, tools};

struct User(String);

/// Say hello.
#[mcp_tool]
async fn hello(#[mcp_tool(extension)] user: &Option<User>) -> String {
    user.as_ref().map_or_else(String::new, |user| user.0.clone())
}

fn main() {
    let _ = tools![hello];
}
