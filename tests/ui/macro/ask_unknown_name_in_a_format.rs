#![allow(unused)]

use mcp_tool_runtime::{Consent, mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(
    id: u32,
    width: usize,
    #[mcp_tool(ask = "Delete {id:>wdith$}?")] sure: Consent,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
