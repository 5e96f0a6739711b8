use mcp_tool_runtime::mcp_tool;

struct Db;

/// Count the rows.
#[mcp_tool(state)]
async fn count(db: &Db) -> u32 {
    let _ = db;
    0
}

fn main() {}
