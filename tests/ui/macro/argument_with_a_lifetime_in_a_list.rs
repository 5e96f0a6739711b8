use mcp_tool_runtime::mcp_tool;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Query<'a> {
    text: &'a str,
}

/// Finds texts.
#[mcp_tool]
async fn find<'a>(queries: Option<Vec<Query<'a>>>) -> usize {
    queries.map_or(0, |queries| queries.len())
}

fn main() {}
