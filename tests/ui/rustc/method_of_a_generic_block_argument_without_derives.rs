use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Notes<S>(S);

struct Tag;

#[mcp_tools]
impl<S: Send + Sync + 'static> Notes<S> {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self, tag: Tag) -> u64 {
        let _ = tag;
        0
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Notes(1));
}
