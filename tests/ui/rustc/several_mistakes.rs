// Four mistakes, four errors.

use mcp_tool_runtime::{mcp_tool, tools};

struct City {
    name: String,
}
struct Weather;
struct Failure;

/// The weather of a city.
#[mcp_tool]
async fn weather(city: City, days: &[City]) -> Result<Weather, Failure> {
    let _ = (city.name, days);
    Err(Failure)
}

fn main() {
    let _ = tools![weather];
}
