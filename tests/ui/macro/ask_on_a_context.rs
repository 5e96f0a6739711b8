#![allow(unused)]

use mcp_tool_runtime::{CallContext, mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(
    #[mcp_tool(context, ask = "Sure?")] cx: &CallContext,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
