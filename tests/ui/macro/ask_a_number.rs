#![allow(unused)]

use mcp_tool_runtime::{Consent, mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(
    #[mcp_tool(ask = 5)] sure: Consent,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
