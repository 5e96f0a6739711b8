use mcp_tool_runtime::{mcp_tool, tools};

trait Repo: Send + Sync {
    fn count(&self) -> u8;
}

/// Count the rows.
#[mcp_tool]
async fn count(#[mcp_tool(state)] db: &dyn Repo) -> u8 {
    db.count()
}

fn main() {
    let _ = tools![count];
}
