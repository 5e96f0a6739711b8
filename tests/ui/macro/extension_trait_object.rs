use mcp_tool_runtime::{mcp_tool, tools};

trait Repo: Send + Sync {
    fn count(&self) -> u8;
}

/// Count the rows.
#[mcp_tool]
async fn count(#[mcp_tool(extension)] db: &(dyn Repo + 'static)) -> u8 {
    db.count()
}

fn main() {
    let _ = tools![count];
}
