use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
fn add(a: i64, b: i64) -> impl Future<Output = i64> {
    async move { a + b }
}

fn main() {
    let _ = tools![add];
}
