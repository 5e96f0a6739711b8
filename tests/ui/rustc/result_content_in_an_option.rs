use mcp_tool_runtime::{Image, mcp_tool, tools};

/// Draw a chart.
#[mcp_tool]
async fn chart() -> Option<Image> {
    None
}

fn main() {
    let _ = tools![chart];
}
