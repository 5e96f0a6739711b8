use mcp_tool_runtime::{mcp_tools, Dispatcher};

struct Notes;

#[mcp_tools(part = archive)]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> usize {
        0
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
