use mcp_tool_runtime::{CallContext, mcp_tool};

/// Report the time.
#[mcp_tool]
async fn time(#[mcp_tool(contex)] cx: &CallContext) -> u32 {
    let _ = cx;
    0
}

fn main() {}
