use mcp_tool_runtime::{mcp_tool, tools};

#[allow(dead_code)]
fn schema() -> serde_json::Value {
    serde_json::json!({ "type": "object" })
}

/// Add two numbers.
#[mcp_tool(input_schema = schema())]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
