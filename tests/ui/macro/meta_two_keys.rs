use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool(meta("com.example/a" = 1, "com.example/b" = 2))]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
