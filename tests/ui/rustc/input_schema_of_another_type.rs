use mcp_tool_runtime::{mcp_tool, tools};

fn schema() -> String {
    String::new()
}

/// Add two numbers.
#[mcp_tool(input_schema = schema)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
