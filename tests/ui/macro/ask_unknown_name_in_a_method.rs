#![allow(unused)]

use mcp_tool_runtime::{Consent, Dispatcher, mcp_tool, mcp_tools};

struct Notes;

#[mcp_tools]
impl Notes {
    /// Delete a note.
    #[mcp_tool]
    async fn delete(
        &self,
        id: u32,
        #[mcp_tool(ask = "Delete {ids}?")] sure: Consent,
    ) -> u32 {
        1
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
