use mcp_tool_runtime::{mcp_tool, tools};

/// The weather.
#[mcp_tool]
async fn weather() -> Result<String, ()> {
    Err(())
}

fn main() {
    let _ = tools![weather];
}
