use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Notes;

#[mcp_tools]
impl Notes {
    /// Count the notes.
    #[mcp_tool(prefix = "notes_")]
    async fn count(&self) -> u64 {
        0
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
