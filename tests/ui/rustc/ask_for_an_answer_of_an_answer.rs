use mcp_tool_runtime::{Answer, mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(
    #[mcp_tool(ask = "Who?")] guest: Answer<Answer<String>>,
) -> u32 {
    drop(guest); 1
}

fn main() {
    let _ = tools![delete];
}
