use mcp_tool_runtime::{Consent, mcp_tool, tools};

fn question(id: &u32) -> String {
    format!("Delete {id}?")
}

/// Delete a note.
#[mcp_tool]
async fn delete(
    id: u32,
    #[mcp_tool(ask = question(id))] sure: Consent,
) -> u32 {
    drop((id, sure)); 1
}

fn main() {
    let _ = tools![delete];
}
