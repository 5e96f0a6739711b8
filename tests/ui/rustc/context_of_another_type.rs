// Only rustc knows which type a name refers to.

use mcp_tool_runtime::{mcp_tool, tools};

struct Context;

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(context)] cx: &Context) -> i64 {
    let _ = cx;
    0
}

fn main() {
    let _ = tools![add];
}
