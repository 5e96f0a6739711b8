use mcp_tool_runtime::{mcp_tool, tools};

/// Search for a text.
#[mcp_tool]
async fn add(#[schemars(min_length = 1)] text: String) -> String {
    text
}

fn main() {
    let _ = tools![add];
}
