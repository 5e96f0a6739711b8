use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Notes;

#[mcp_tools]
impl Notes {
    /// Count the notes.
    #[mcp_tool(crate = ::mcp_tool_runtime)]
    async fn count(&self) -> u64 {
        0
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
