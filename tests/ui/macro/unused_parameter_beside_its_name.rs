use mcp_tool_runtime::{mcp_tool, tools};

/// List the notes.
#[mcp_tool]
async fn list(page: u32, _page: u32) -> u32 {
    page
}

fn main() {
    let _ = tools![list];
}
