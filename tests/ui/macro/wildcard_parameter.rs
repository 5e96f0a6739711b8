use mcp_tool_runtime::{mcp_tool, tools};

/// Do nothing with a number.
#[mcp_tool]
async fn ignore(_: i64) {}

fn main() {
    let _ = tools![ignore];
}
