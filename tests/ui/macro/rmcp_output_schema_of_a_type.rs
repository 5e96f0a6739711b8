use mcp_tool_runtime::{mcp_tool, tools};

struct Sum;

/// Add two numbers.
#[mcp_tool(output_schema = schema_for::<Sum>())]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
