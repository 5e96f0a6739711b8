use mcp_tool_runtime::{mcp_tool, tools};

/// The weather.
#[mcp_tool]
async fn weather() -> Weather {
    todo!()
}

fn main() {
    let _ = tools![weather];
}
