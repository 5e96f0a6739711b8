use mcp_tool_runtime::mcp_tool;

struct Counter;

#[mcp_tool]
impl Counter {
    async fn count(&self) -> i64 {
        1
    }
}

fn main() {
    let _ = Counter.count();
}
