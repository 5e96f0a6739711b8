// The compiler says this better than the macro could, so the macro leaves it to the compiler. Help: rename one of the two parameters.

use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, a: i64) -> i64 {
    a
}

fn main() {
    let _ = tools![add];
}
