#![allow(unused)]

use mcp_tool_runtime::{Answer, Ask, CallContext, Consent, mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(
    #[mcp_tool(ask = "A?")] sure: Consent,
    #[mcp_tool(ask = "B?")] _sure: Consent,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
