#![allow(unused)]

use mcp_tool_runtime::{Consent, mcp_tool, tools};

struct Notes;

/// Delete a note.
#[mcp_tool]
async fn delete(
    id: u32,
    #[mcp_tool(ask = notes.question(id))] sure: Consent,
    #[mcp_tool(state)] notes: &Notes,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
