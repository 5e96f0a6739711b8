// One error: rustc finds no such crate.
// Write: the path of `mcp-tool-runtime` with the crate's name in your `Cargo.toml`.

use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool(crate = ::toolbox)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
