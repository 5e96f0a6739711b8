use mcp_tool_runtime::{Consent, mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(
    id: u32,
    #[mcp_tool(consent)] sure: Consent,
) -> u32 {
    drop(sure);
    id
}

fn main() {
    let _ = tools![delete];
}
