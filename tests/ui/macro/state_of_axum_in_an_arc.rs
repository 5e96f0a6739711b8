use mcp_tool_runtime::{mcp_tool, tools};
use std::sync::Arc;

struct Db;

struct State<T>(T);

/// Count the rows.
#[mcp_tool]
async fn add(state: State<Arc<Db>>) -> usize {
    Arc::strong_count(&state.0)
}

fn main() {
    let _ = tools![add];
}
