use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Notes;

struct Tag;

#[mcp_tools]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> Tag {
        Tag
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
