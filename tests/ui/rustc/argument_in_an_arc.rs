use mcp_tool_runtime::{mcp_tool, tools};
use std::sync::Arc;

/// Greet somebody.
#[mcp_tool]
async fn add(name: Arc<str>) -> String {
    name.to_string()
}

fn main() {
    let _ = tools![add];
}
