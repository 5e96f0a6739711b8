use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Notes<S>(S);

#[mcp_tools]
impl<S: Send + Sync + 'static> Notes<S> {
    const MOST: u64 = 5;

    /// Count the notes.
    #[mcp_tool]
    async fn count(&self, #[mcp_tool(default = Self::MOST)] most: u64) -> u64 {
        most
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Notes(1));
}
