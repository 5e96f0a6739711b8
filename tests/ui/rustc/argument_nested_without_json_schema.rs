// The error is from the derive on the author's own type: the type of one of its fields lacks the trait. Write: `#[derive(schemars::JsonSchema)]` above the type of the field too.

use mcp_tool_runtime::{mcp_tool, tools};

#[derive(serde::Deserialize)]
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
