#![allow(unused)]

use mcp_tool_runtime::{Ask, Consent, mcp_tool, tools};

fn question(id: &u32) -> Ask<Consent> {
    Ask::new(format!("Delete {id}?"))
}

/// Delete a note.
#[mcp_tool]
async fn delete(
    id: u32,
    #[mcp_tool(ask = question(ids))] sure: Consent,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
