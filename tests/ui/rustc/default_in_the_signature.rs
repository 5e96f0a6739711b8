// Two errors: rustc rejects the syntax of the default before it expands the attribute.

use mcp_tool_runtime::{mcp_tool, tools};

/// List the newest notes.
#[mcp_tool]
async fn add(limit: usize = 10) -> usize {
    limit
}

fn main() {
    let _ = tools![add];
}
