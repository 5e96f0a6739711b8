use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(header = "My Region")] region: String) -> i64 {
    let _ = region;
    0
}

fn main() {
    let _ = tools![add];
}
