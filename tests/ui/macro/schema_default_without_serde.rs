use mcp_tool_runtime::{mcp_tool, tools};

/// Find.
#[mcp_tool]
async fn find(#[schemars(default)] kind: u8) -> u8 {
    kind
}

fn main() {
    let _ = tools![find];
}
