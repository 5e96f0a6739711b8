// Four errors: an attribute cannot know that it stands inside an `impl` block when the function has no `self`, and what
// it writes beside the function is not allowed there.

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
