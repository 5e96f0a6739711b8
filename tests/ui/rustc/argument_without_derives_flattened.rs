use mcp_tool_runtime::{mcp_tool, tools};

struct City {
    name: String,
}

/// The weather of a city.
#[mcp_tool]
async fn weather(#[serde(flatten)] city: City) -> String {
    city.name
}

fn main() {
    let _ = tools![weather];
}
