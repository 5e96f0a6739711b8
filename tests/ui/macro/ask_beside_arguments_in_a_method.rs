#![allow(unused)]

use mcp_tool_runtime::{Consent, Dispatcher, mcp_tool, mcp_tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Note {
    id: u32,
}

struct Notes;

#[mcp_tools]
impl Notes {
    /// Delete a note.
    #[mcp_tool]
    async fn delete(
        &self,
        #[mcp_tool(arguments)] note: Note,
        #[mcp_tool(ask = "Sure?")] sure: Consent,
    ) -> u32 {
        1
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
