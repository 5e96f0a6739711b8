use mcp_tool_runtime::{mcp_tool, tools};

struct Db(u8);

/// Count the rows.
#[mcp_tool]
async fn count(#[mcp_tool(state)] db: &Option<Db>) -> u8 {
    db.as_ref().map_or(0, |db| db.0)
}

fn main() {
    let _ = tools![count];
}
