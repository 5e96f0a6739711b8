use mcp_tool_runtime::{mcp_tool, tools};

/// Wait.
#[mcp_tool(example_call(seconds = "ten"))]
async fn wait(seconds: u32) -> u32 {
    seconds
}

fn main() {
    let _ = tools![wait];
}
