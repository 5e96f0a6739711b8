use mcp_tool_runtime::{mcp_tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Query {
    text: String,
}

/// Search for a text.
#[mcp_tool]
async fn search(#[mcp_tool(arguments = "query")] query: Query) -> String {
    query.text
}

fn main() {
    let _ = tools![search];
}
