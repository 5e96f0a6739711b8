use mcp_tool_runtime::mcp_tool;

trait Count {
    /// The count.
    #[mcp_tool]
    async fn count(&self) -> i64 {
        0
    }
}

fn main() {}
