// rustc reports the private item. Write: `pub` or `pub(crate)` before the function: its handle has the same visibility.

use mcp_tool_runtime::tools;

mod numbers {
    /// Add two numbers.
    #[mcp_tool_runtime::mcp_tool]
    async fn add(a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {
    let _ = tools![numbers::add];
}
