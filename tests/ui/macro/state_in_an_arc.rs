use mcp_tool_runtime::{mcp_tool, tools};
use std::sync::Arc;

struct Db;

/// Count the rows.
#[mcp_tool]
async fn add(#[mcp_tool(state)] db: Arc<Db>) -> usize {
    Arc::strong_count(&db)
}

fn main() {
    let _ = tools![add];
}
