// rustc reports a parameter of an unsized type twice in every async function.
use mcp_tool_runtime::mcp_tool;

/// Measure a text.
#[mcp_tool]
async fn measure(text: str) -> usize {
    text.len()
}

fn main() {}
