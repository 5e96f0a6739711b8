use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Notes;

#[mcp_tools(once = "10m")]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> u64 {
        0
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
