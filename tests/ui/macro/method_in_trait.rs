use mcp_tool_runtime::mcp_tool;

trait Count {
    /// The count.
    #[mcp_tool]
    async fn count(&self) -> i64;
}

struct Counter;

impl Count for Counter {
    async fn count(&self) -> i64 {
        1
    }
}

fn main() {
    let _ = Counter.count();
}
