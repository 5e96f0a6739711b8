use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Notes;

#[mcp_tools(parts(archive))]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> usize {
        0
    }
}

#[mcp_tools(part = archive)]
impl Notes {
    /// Count the notes in the archive.
    #[mcp_tool]
    async fn count_old(&self) -> Vec<Old> {
        Vec::new()
    }
}

struct Old;

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
