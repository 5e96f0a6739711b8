use mcp_tool_runtime::mcp_tool;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Query<'a> {
    text: &'a str,
}

/// Finds a text.
#[mcp_tool]
async fn find(query: Query<'_>) -> usize {
    query.text.len()
}

fn main() {}
