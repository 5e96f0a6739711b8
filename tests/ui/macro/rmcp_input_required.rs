use mcp_tool_runtime::{mcp_tool, tools};

/// Wait.
#[mcp_tool]
async fn wait() -> Result<InputRequiredResult, ErrorData> {
    todo!()
}

fn main() {
    let _ = tools![wait];
}
