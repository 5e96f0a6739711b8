use mcp_tool_runtime::mcp_tool;

/// Add two numbers.
#[mcp_tool(name = b"add")]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
