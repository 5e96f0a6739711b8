use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(header = "Region")] from: String, #[mcp_tool(header = "region")] to: String) -> i64 {
    let _ = from;
    let _ = to;
    0
}

fn main() {
    let _ = tools![add];
}
