use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Subtract a number from another.
#[mcp_tool]
async fn subtract(a: i64, b: i64) -> i64 {
    a - b
}

/// Add two numbers.
#[mcp_tool(name = "add")]
async fn plus(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add, subtract, plus];
}
