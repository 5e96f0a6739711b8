// rustc checks the body, and the attribute adds no error. Write: a value of the type that the signature promises.

use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    format!("{}", a + b)
}

fn main() {
    let _ = tools![add];
}
