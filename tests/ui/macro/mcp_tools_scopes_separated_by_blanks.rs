use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Notes;

#[mcp_tools(scopes("notes:read notes:write"))]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> u64 {
        0
    }

    /// Delete the notes.
    #[mcp_tool]
    async fn clear(&self) {}
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
