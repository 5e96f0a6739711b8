use mcp_tool_runtime::{Consent, mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(
    #[mcp_tool(ask = "Sure?")] sure: Option<Consent>,
) -> u32 {
    drop(sure); 1
}

fn main() {
    let _ = tools![delete];
}
