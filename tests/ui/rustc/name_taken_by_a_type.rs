// Only rustc sees both types: the handle, which has the name of the function, and the author's own. Help: give the handle a name that is free: `#[mcp_tool(handler = AddTool)]`.

use mcp_tool_runtime::{mcp_tool, tools};

#[allow(non_camel_case_types)]
struct add {}

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
