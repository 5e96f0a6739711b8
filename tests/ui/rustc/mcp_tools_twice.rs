// The words are rustc's: it alone sees both blocks. One of them names the other: `#[mcp_tools(parts(clearing))]` and
// `#[mcp_tools(part = clearing)]`.

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
