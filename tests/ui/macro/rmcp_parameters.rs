use mcp_tool_runtime::{mcp_tool, tools};

/// Find notes.
#[mcp_tool]
async fn find(params: Parameters<Query>) -> usize {
    0
}

fn main() {
    let _ = tools![find];
}
