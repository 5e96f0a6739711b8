// Two errors: that parameters have no defaults the compiler says before any attribute is asked.

use mcp_tool_runtime::{mcp_tool, tools};

/// List the newest notes.
#[mcp_tool]
async fn add(limit: usize = 10) -> usize {
    limit
}

fn main() {
    let _ = tools![add];
}
