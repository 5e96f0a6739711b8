// Only rustc can point at the value and at the `await`.

use std::rc::Rc;

use mcp_tool_runtime::{mcp_tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City {
    #[serde(skip)]
    cache: Rc<u8>,
}

/// The weather of a city.
#[mcp_tool]
async fn weather(city: City) -> u8 {
    *city.cache
}

fn main() {
    let _ = tools![weather];
}
