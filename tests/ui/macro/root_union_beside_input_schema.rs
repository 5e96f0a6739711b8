use mcp_tool_runtime::{mcp_tool, tools};

const SCHEMA: &str = r#"{"type": "object"}"#;

/// Add two numbers.
#[mcp_tool(input_schema = SCHEMA, root_union)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = (tools![add], SCHEMA);
}
