use mcp_tool_runtime::{mcp_tool, tools};

/// The weather of a city.
#[mcp_tool]
async fn weather(#[schemars(minimum = 1)] city: String) -> String {
    city
}

fn main() {
    let _ = tools![weather];
}
