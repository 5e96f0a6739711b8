use mcp_tool_runtime::{Image, ToolError, mcp_tool, tools};

/// Draw charts.
#[mcp_tool]
async fn charts() -> Result<Vec<Image>, ToolError> {
    Ok(vec![Image::new([0], "image/png")])
}

fn main() {
    let _ = tools![charts];
}
