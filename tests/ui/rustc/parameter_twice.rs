// rustc explains this well, so the macro reports nothing. Help: rename one of the two parameters.

use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, a: i64) -> i64 {
    a
}

fn main() {
    let _ = tools![add];
}
