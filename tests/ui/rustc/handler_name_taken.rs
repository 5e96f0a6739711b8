// Only rustc sees both types: the handle and the author's own. Help: give the handle a name that is free: `#[mcp_tool(handler = AddTool)]`.

use mcp_tool_runtime::{mcp_tool, tools};

struct Add;

/// Add two numbers.
#[mcp_tool(handler = Add)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![Add];
}
