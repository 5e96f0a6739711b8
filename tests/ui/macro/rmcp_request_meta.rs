use mcp_tool_runtime::{mcp_tool, tools};

/// Wait.
#[mcp_tool]
async fn wait(meta: RequestMetaObject) {}

fn main() {
    let _ = tools![wait];
}
