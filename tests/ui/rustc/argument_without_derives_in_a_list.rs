use mcp_tool_runtime::{mcp_tool, tools};

struct City {
    name: String,
}

/// The weather of cities.
#[mcp_tool]
async fn weather(cities: Option<Vec<City>>) -> usize {
    cities.map_or(0, |cities| cities.iter().map(|city| city.name.len()).sum())
}

fn main() {
    let _ = tools![weather];
}
