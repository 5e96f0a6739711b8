// Four errors: without `self` the attribute cannot know that the function is inside an `impl` block, and the items that
// it emits are not allowed there.

use mcp_tool_runtime::mcp_tool;

struct Calculator;

impl Calculator {
    /// Add two numbers.
    #[mcp_tool]
    async fn add(a: i64, b: i64) -> i64 {
        a + b
    }
}

fn main() {
    let _ = Calculator::add(1, 2);
}
