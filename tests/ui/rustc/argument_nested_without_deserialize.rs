// Three errors, all from serde: the derive on the author's own `City` needs the trait in three places. The tool adds
// none.

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
