use mcp_tool_runtime::{Ask, Consent, mcp_tool, tools};

struct NoNote;

fn question(id: &u32) -> Result<Ask<Consent>, NoNote> {
    if *id == 0 { Err(NoNote) } else { Ok(Ask::new("Sure?")) }
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
