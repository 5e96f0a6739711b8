use mcp_tool_runtime::{mcp_tool, tools};

struct Db;

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(state)] db: Option<&mut Db>) -> i64 {
    let _ = db;
    0
}

fn main() {
    let _ = tools![add];
}
