// Three mistakes, three errors.

use mcp_tool_runtime::{CallContext, mcp_tool, tools};

/// Get the weather.
#[mcp_tool(example_call(locaton = "Paris"), example_call(cx = 1))]
async fn weather(location: String, #[mcp_tool(context)] cx: &CallContext) -> String {
    drop(cx.call_id());
    location
}

/// Ring.
#[mcp_tool(example_call(loud = true))]
async fn ring() {}

fn main() {
    let _ = tools![weather, ring];
}
