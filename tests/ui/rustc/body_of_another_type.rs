// The words are rustc's, as for any body: the attribute adds none. Write: a value of the type that the signature promises.

use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    format!("{}", a + b)
}

fn main() {
    let _ = tools![add];
}
