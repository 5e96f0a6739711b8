use mcp_tool_runtime::mcp_tools;

struct Notes;

#[mcp_tools]
impl Notes {
    /// Count the notes.
    #[mcp_tool_runtime::mcp_tool(timeout = "5")]
    async fn count(&self) -> u64 {
        0
    }
}

fn main() {
    let _ = Notes.count();
}
