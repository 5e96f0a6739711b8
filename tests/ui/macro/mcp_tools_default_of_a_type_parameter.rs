use mcp_tool_runtime::mcp_tools;

trait Store: Send + Sync + 'static {
    const MOST: u32;
}

struct Notes<S>(S);

#[mcp_tools]
impl<S: Store> Notes<S> {
    /// List notes.
    #[mcp_tool]
    async fn list(&self, #[mcp_tool(default = S::MOST)] limit: u32) -> u32 {
        limit
    }
}

fn main() {}
