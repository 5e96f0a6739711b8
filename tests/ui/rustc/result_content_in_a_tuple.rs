use mcp_tool_runtime::{Image, Text, mcp_tool, tools};

/// Draw a chart.
#[mcp_tool]
async fn chart() -> (Text, Image) {
    (Text::new("A chart."), Image::new([0], "image/png"))
}

fn main() {
    let _ = tools![chart];
}
