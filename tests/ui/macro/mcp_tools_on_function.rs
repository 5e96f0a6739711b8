use mcp_tool_runtime::mcp_tools;

/// Count the notes.
#[mcp_tools]
async fn count() -> u64 {
    0
}

fn main() {
    let _ = count();
}
