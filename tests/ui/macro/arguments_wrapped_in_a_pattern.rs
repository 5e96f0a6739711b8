use mcp_tool_runtime::{mcp_tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Query {
    text: String,
}

struct Parameters<T>(T);

/// Search for a text.
#[mcp_tool]
async fn add(Parameters(query): Parameters<Query>) -> String {
    query.text
}

fn main() {
    let _ = tools![add];
}
