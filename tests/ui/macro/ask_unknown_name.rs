#![allow(unused)]

use mcp_tool_runtime::{Answer, Ask, CallContext, Consent, mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(
    id: u32,
    #[mcp_tool(ask = "Delete note {ids}?")] sure: Consent,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
