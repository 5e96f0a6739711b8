use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Sums;

#[mcp_tools(task = 1)]
impl Sums {
    /// Add two numbers.
    #[mcp_tool]
    async fn add(&self, a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Sums);
}
