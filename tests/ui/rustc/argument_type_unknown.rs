use mcp_tool_runtime::{mcp_tool, tools};

/// The weather of a city.
#[mcp_tool]
async fn weather(city: City) -> String {
    city.name
}

fn main() {
    let _ = tools![weather];
}
