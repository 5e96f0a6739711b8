use mcp_tool_runtime::{mcp_tool, tools};

enum Failure {
    Busy,
}

/// The weather.
#[mcp_tool]
async fn weather() -> Result<String, Failure> {
    Err(Failure::Busy)
}

fn main() {
    let _ = tools![weather];
}
