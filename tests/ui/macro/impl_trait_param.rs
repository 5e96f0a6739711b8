use mcp_tool_runtime::{mcp_tool, tools};

/// Say it louder.
#[mcp_tool]
async fn shout(text: impl Into<String>) -> String {
    text.into().to_uppercase()
}

fn main() {
    let _ = tools![shout];
}
