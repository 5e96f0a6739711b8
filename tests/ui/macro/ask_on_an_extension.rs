#![allow(unused)]

use mcp_tool_runtime::{mcp_tool, tools};

struct User;

/// Delete a note.
#[mcp_tool]
async fn delete(
    #[mcp_tool(extension, ask = "Who?")] user: &User,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
