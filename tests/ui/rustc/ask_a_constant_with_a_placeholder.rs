use mcp_tool_runtime::{Consent, mcp_tool, tools};

const QUESTION: &str = "Delete {id}?";

/// Delete a note.
#[mcp_tool]
async fn delete(id: u32, #[mcp_tool(ask = QUESTION)] _sure: Consent) -> u32 {
    id
}

fn main() {
    let _ = tools![delete];
}
