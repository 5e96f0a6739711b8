// Three errors: without the runtime rustc does not find the derives of serde and schemars, and so does not know their
// helper attributes.

use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool(crate = ::serde)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
