use mcp_tool_runtime::mcp_tools;

struct Notes;

#[mcp_tools(prefix = "notes_", tags("admin"), parts(archive))]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> usize {
        0
    }
}

#[mcp_tools(part = archive, prefix = "archive_")]
impl Notes {
    /// Delete the archive.
    #[mcp_tool]
    async fn delete(&self) {}
}

fn main() {
    let _ = Notes;
}
