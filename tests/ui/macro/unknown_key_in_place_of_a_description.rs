use mcp_tool_runtime::mcp_tool;

#[mcp_tool(about = "Adds numbers.")]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
