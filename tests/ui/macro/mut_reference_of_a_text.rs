use mcp_tool_runtime::mcp_tool;

/// Measure a text.
#[mcp_tool]
async fn measure(text: &mut str) -> usize {
    text.len()
}

fn main() {}
