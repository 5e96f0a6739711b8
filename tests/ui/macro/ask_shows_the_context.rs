#![allow(unused)]

use mcp_tool_runtime::{Answer, Ask, CallContext, Consent, mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(
    #[mcp_tool(ask = "Go on with {cx}?")] sure: Consent,
    #[mcp_tool(context)] cx: &CallContext,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
