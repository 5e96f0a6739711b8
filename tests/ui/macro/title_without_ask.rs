use mcp_tool_runtime::{mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(#[mcp_tool(title = "Yes, delete it")] count: u32) -> u32 {
    count
}

fn main() {
    let _ = tools![delete];
}
