use mcp_tool_runtime::{CallContext, mcp_tool, tools};

/// Say in which call we are.
#[mcp_tool]
async fn who(#[mcp_tool(context, formerly("context"))] cx: &CallContext) -> String {
    cx.call_id().to_string()
}

fn main() {
    let _ = tools![who];
}
