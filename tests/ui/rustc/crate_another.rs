// One error, at the attribute: the path that the author wrote exists, and rustc looks in it for a module of the runtime.
// Other attributes on parameters would add errors, because their derives are not found.

use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool(crate = ::serde)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
