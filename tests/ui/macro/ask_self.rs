#![allow(unused)]

use mcp_tool_runtime::{Ask, Consent, mcp_tools};

struct Notes;

async fn question(notes: &Notes, id: &u32) -> Ask<Consent> {
    Ask::new(format!("Delete note {id}?"))
}

#[mcp_tools]
impl Notes {
    /// Delete a note.
    #[mcp_tool]
    async fn delete(&self, id: u32, #[mcp_tool(ask = question(self, id).await)] sure: Consent) -> u32 {
        1
    }
}

fn main() {}
