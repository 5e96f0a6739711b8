// Only rustc sees both blocks.
// Write: `#[mcp_tools(part = clearing)]` on one block, and `#[mcp_tools(parts(clearing))]` on the other.

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

#[mcp_tools]
impl Notes {
    /// Remove all notes.
    #[mcp_tool]
    async fn clear(&self) {}
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
