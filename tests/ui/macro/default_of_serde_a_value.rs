use mcp_tool_runtime::{mcp_tool, tools};

/// List.
#[mcp_tool]
async fn list(#[serde(default = 20)] limit: u32) -> u32 {
    limit
}

fn main() {
    let _ = tools![list];
}
