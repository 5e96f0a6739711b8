use mcp_tool_runtime::{Consent, mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(
    id: u32,
    sure: Consent,
) -> u32 {
    drop((id, sure)); 1
}

fn main() {
    let _ = tools![delete];
}
