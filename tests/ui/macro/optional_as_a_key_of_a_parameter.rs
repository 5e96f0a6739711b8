use mcp_tool_runtime::{mcp_tool, tools};

/// Search for a text.
#[mcp_tool]
async fn add(text: String, #[mcp_tool(optional)] limit: usize) -> String {
    text.chars().take(limit).collect()
}

fn main() {
    let _ = tools![add];
}
