use mcp_tool_runtime::{mcp_tool, tools};

/// The length of a text.
#[mcp_tool]
async fn measure(ref text: String) -> usize {
    text.len()
}

fn main() {
    let _ = tools![measure];
}
