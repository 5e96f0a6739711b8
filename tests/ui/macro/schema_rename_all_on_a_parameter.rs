use mcp_tool_runtime::{mcp_tool, tools};

/// Find.
#[mcp_tool]
async fn find(#[schemars(rename_all = "camelCase")] file_kind: u8) -> u8 {
    file_kind
}

fn main() {
    let _ = tools![find];
}
