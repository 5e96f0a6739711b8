// rustc reports an `.await` on what is no future. Write: the call alone, `ask = question(id)`.

use mcp_tool_runtime::{Ask, Consent, mcp_tool, tools};

fn question(id: &u32) -> Ask<Consent> {
    Ask::new(format!("Delete {id}?"))
}

/// Delete a note.
#[mcp_tool]
async fn delete(
    id: u32,
    #[mcp_tool(ask = question(id).await)] sure: Consent,
) -> u32 {
    drop((id, sure)); 1
}

fn main() {
    let _ = tools![delete];
}
