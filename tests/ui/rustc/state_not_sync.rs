use mcp_tool_runtime::{mcp_tool, tools};

struct Db(std::cell::Cell<u8>);

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(state)] db: &Db) -> i64 {
    i64::from(db.0.get())
}

fn main() {
    let _ = tools![add];
}
