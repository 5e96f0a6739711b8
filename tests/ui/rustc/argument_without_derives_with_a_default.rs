use mcp_tool_runtime::{mcp_tool, tools};

#[derive(Default)]
struct City {
    name: String,
}

/// The weather of a city.
#[mcp_tool]
async fn weather(#[serde(default)] city: City) -> String {
    city.name
}

fn main() {
    let _ = tools![weather];
}
