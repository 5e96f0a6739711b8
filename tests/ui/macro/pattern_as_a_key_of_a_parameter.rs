use mcp_tool_runtime::{mcp_tool, tools};

/// Search for a text.
#[mcp_tool]
async fn add(#[mcp_tool(pattern = "^[a-z]+$")] text: String) -> String {
    text
}

fn main() {
    let _ = tools![add];
}
