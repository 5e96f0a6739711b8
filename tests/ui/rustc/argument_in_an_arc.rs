use mcp_tool_runtime::{mcp_tool, tools};
use std::sync::Arc;

struct Names(Vec<String>);

/// Greet somebody.
#[mcp_tool]
async fn greet(names: Arc<Names>) -> String {
    names.0.join(", ")
}

fn main() {
    let _ = tools![greet];
}
