use mcp_tool_runtime::{mcp_tool, tools};

struct Sum(i64);

/// Add two numbers.
#[mcp_tool(output = off)]
async fn add(a: i64, b: i64) -> Sum {
    Sum(a + b)
}

fn main() {
    let _ = tools![add];
}
