use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, context: RequestContext<RoleServer>) -> i64 {
    a
}

fn main() {
    let _ = tools![add];
}
