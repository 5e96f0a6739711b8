use mcp_tool_runtime::{mcp_tool, tools};

struct User;

struct Extension<T>(T);

/// Greet the user.
#[mcp_tool]
async fn add(Extension(user): Extension<User>) -> usize {
    size_of_val(&user)
}

fn main() {
    let _ = tools![add];
}
