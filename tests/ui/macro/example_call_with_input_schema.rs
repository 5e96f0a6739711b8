use mcp_tool_runtime::{mcp_tool, serde_json, tools};

/// Get the weather.
#[mcp_tool(input_schema = schema, example_call(location = "Paris"))]
async fn weather(location: String) -> String {
    location
}

fn schema() -> serde_json::Value {
    serde_json::json!({"type": "object"})
}

fn main() {
    let _ = tools![weather];
}
