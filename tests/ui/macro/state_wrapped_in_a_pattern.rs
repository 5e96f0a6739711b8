use mcp_tool_runtime::{mcp_tool, tools};

struct Db;

struct State<T>(T);

/// Count the rows.
#[mcp_tool]
async fn add(State(db): State<Db>) -> usize {
    size_of_val(&db)
}

fn main() {
    let _ = tools![add];
}
