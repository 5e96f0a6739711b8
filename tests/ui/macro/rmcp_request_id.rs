use mcp_tool_runtime::{mcp_tool, tools};

/// Wait.
#[mcp_tool]
async fn wait(RequestId(id): RequestId) {}

fn main() {
    let _ = tools![wait];
}
