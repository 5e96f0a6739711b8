#![allow(unused)]

use mcp_tool_runtime::{Consent, mcp_tool, tools};

/// Delete a note.
#[mcp_tool(example_call(id = 7, sure = true))]
async fn delete(
    id: u32,
    #[mcp_tool(ask = "Delete {id}?")] sure: Consent,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
