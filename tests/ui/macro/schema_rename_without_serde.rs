use mcp_tool_runtime::{mcp_tool, tools};

/// Find.
#[mcp_tool]
async fn find(#[schemars(rename = "k")] kind: Option<u8>) -> Option<u8> {
    kind
}

fn main() {
    let _ = tools![find];
}
