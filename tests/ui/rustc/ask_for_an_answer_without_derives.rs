use mcp_tool_runtime::{Answer, mcp_tool, tools};

struct Guest {
    name: String,
}

/// Delete a note.
#[mcp_tool]
async fn delete(
    #[mcp_tool(ask = "Who?")] guest: Answer<Guest>,
) -> u32 {
    drop(guest); 1
}

fn main() {
    let _ = tools![delete];
}
