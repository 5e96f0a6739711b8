use mcp_tool_runtime::{mcp_tool, tools};

/// Wait.
#[mcp_tool]
async fn wait(ToolName(name): ToolName) {}

fn main() {
    let _ = tools![wait];
}
