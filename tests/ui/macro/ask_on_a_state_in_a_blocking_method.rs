#![allow(unused)]

use mcp_tool_runtime::{Dispatcher, mcp_tool, mcp_tools};

struct Notes;

#[mcp_tools]
impl Notes {
    /// Delete a note.
    #[mcp_tool(blocking)]
    fn delete(
        &self,
        #[mcp_tool(state, ask = "Which?")] db: &u32,
    ) -> u32 {
        1
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
