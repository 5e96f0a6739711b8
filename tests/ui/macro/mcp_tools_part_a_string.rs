use mcp_tool_runtime::mcp_tools;

struct Notes;

#[mcp_tools(parts(archive))]
impl Notes {
    /// Remove all notes.
    #[mcp_tool]
    async fn clear(&self) {}
}

#[mcp_tools(part = "archive")]
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
