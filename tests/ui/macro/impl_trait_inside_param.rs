use mcp_tool_runtime::{mcp_tool, tools};

/// Say it louder.
#[mcp_tool]
async fn shout(text: Option<impl Into<String>>) -> String {
    text.map(Into::into).unwrap_or_default().to_uppercase()
}

fn main() {
    let _ = tools![shout];
}
