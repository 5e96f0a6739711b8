use mcp_tool_runtime::{mcp_tool, tools};

struct Sum(i64);

/// Add two numbers.
#[mcp_tool(output = i64)]
async fn add(a: i64, b: i64) -> Result<Sum, String> {
    Ok(Sum(a + b))
}

fn main() {
    let _ = tools![add];
}
