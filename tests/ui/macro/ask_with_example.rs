#![allow(unused)]

use mcp_tool_runtime::{mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(
    #[mcp_tool(ask = "How many?", example = 3)] count: u32,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
