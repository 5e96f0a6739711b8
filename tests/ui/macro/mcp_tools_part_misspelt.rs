use mcp_tool_runtime::mcp_tools;

struct Notes;

#[mcp_tools(prt = reading)]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> usize {
        0
    }
}

#[mcp_tools(parts(reading))]
impl Notes {
    /// Add a note.
    #[mcp_tool]
    async fn add(&self) {}
}

fn main() {}
