fn schema() -> mcp_tool_runtime::serde_json::Value {
    mcp_tool_runtime::json!({"type": "integer"})
}

use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool(output = i32, output_schema = schema)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
    let _ = schema();
}
