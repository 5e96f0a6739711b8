use mcp_tool_runtime::{mcp_tools, Dispatcher};
use std::sync::{Arc, Mutex};

struct Notes;

#[mcp_tools]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> usize {
        0
    }
}

fn main() {
    let notes = Arc::new(Mutex::new(Notes));
    let _ = Dispatcher::builder().service(notes).build();
}
