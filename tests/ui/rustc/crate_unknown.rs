// Three errors: without the runtime the derives of serde and schemars are not found, and then rustc does not know their
// helper attributes either. Write: the path of `mcp-tool-runtime` under the name that it has in `Cargo.toml`.

use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool(crate = ::toolbox)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
