// Three errors, all of them serde's: the derive on the author's own `City` asks for the trait at three places. The tool
// adds none to them.

use mcp_tool_runtime::{mcp_tool, tools};

#[derive(schemars::JsonSchema)]
struct Country {
    name: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City {
    country: Country,
}

/// The weather of a city.
#[mcp_tool]
async fn weather(city: City) -> String {
    city.country.name
}

fn main() {
    let _ = tools![weather];
}
