use mcp_tool_runtime::{mcp_tool, tools};

#[derive(Default, serde::Deserialize, schemars::JsonSchema)]
struct Db {
    rows: usize,
}

/// Count the rows.
#[mcp_tool]
async fn add(#[serde(skip)] db: Db) -> usize {
    db.rows
}

fn main() {
    let _ = tools![add];
}
