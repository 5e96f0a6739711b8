use mcp_tool_runtime::{mcp_tool, tools};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Sum(i64);

/// Add two numbers.
#[mcp_tool(output_schema = Sum)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
