use mcp_tool_runtime::{mcp_tools, tools};

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
    let _ = tools![Notes::count];
}
