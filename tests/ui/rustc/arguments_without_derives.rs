use mcp_tool_runtime::{mcp_tool, tools};

struct Query {
    text: String,
}

/// Search for a text.
#[mcp_tool]
async fn search(#[mcp_tool(arguments)] query: Query) -> String {
    query.text
}

fn main() {
    let _ = tools![search];
}
