// The list refers to the handle that `#[mcp_tool]` emits, and the function has no `#[mcp_tool]`. Write: `#[mcp_tool]` above the function that the list names.

use mcp_tool_runtime::tools;

async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
    let _ = add(1, 2);
}
