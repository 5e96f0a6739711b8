use mcp_tool_runtime::mcp_tool;

/// Adds numbers.
#[mcp_tool(name = concat!(env!("CARGO_PKG_NAME"), "_add"))]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
