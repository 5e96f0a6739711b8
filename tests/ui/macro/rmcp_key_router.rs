use mcp_tool_runtime::mcp_tools;

struct Notes;

#[mcp_tools(router = notes_router)]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> usize {
        0
    }
}

fn main() {
    let _ = Notes;
}
