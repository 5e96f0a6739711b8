use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Notes;

#[mcp_tools(read_only_hint)]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> u64 {
        0
    }

    /// Delete the notes.
    #[mcp_tool(destructive_hint)]
    async fn clear(&self) {}
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
