use mcp_tool_runtime::mcp_tools;

struct Notes;

trait Store {
    async fn count(&self) -> u64;
}

#[mcp_tools]
impl Store for Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> u64 {
        0
    }
}

fn main() {
    let _ = Notes.count();
}
