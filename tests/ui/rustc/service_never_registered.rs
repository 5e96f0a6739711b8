// Only rustc sees what is never used.
// Write: `.service(Notes)` on the builder.

#![deny(dead_code)]

use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Notes;

#[mcp_tools]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self, tag: String) -> usize {
        tag.len()
    }
}

fn main() {
    let _ = Dispatcher::builder().build();
}
