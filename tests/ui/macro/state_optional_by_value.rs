use mcp_tool_runtime::{mcp_tool, tools};

struct Db;

/// Count the rows.
#[mcp_tool]
async fn add(#[mcp_tool(state)] db: Option<Db>) -> bool {
    db.is_some()
}

fn main() {
    let _ = tools![add];
}
