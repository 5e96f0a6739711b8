use mcp_tool_runtime::{Consent, mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(#[mcp_tool(ask = "Delete it?", title = "")] _sure: Consent) {}

fn main() {
    let _ = tools![delete];
}
