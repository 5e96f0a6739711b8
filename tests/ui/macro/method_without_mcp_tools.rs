use mcp_tool_runtime::mcp_tool;

struct Counter(i64);

impl Counter {
    /// The count.
    #[mcp_tool]
    async fn count(&self) -> i64 {
        self.0
    }
}

fn main() {
    let _ = Counter(1).count();
}
