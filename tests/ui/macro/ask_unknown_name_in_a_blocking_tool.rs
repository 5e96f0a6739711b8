#![allow(unused)]

use mcp_tool_runtime::{Consent, mcp_tool, tools};

/// Delete a note.
#[mcp_tool(blocking)]
fn delete(
    id: u32,
    #[mcp_tool(ask = "Delete {ids}?")] sure: Consent,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
