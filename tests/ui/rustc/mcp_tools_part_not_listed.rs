// Only rustc sees both blocks.
// Write: `#[mcp_tools(parts(clearing))]` on the block without `part`.

#![deny(dead_code)]

use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Notes;

#[mcp_tools]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> u64 {
        0
    }
}

#[mcp_tools(part = clearing)]
impl Notes {
    /// Remove all notes.
    #[mcp_tool]
    async fn clear(&self) {}
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
