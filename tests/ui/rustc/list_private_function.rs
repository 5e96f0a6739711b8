// The words are rustc's, as for anything private. Write: `pub` or `pub(crate)` before the function: its handle is as visible as it.

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
