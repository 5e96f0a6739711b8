use mcp_tool_runtime::{Answer, mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(
    id: u32,
    day: Answer<String>,
) -> u32 {
    drop((id, day)); 1
}

fn main() {
    let _ = tools![delete];
}
