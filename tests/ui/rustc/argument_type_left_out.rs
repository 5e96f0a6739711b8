// The words are rustc's, as for any function. Write: the type of the parameter, where `_` stands.

use mcp_tool_runtime::{mcp_tool, tools};

/// The weather of a city.
#[mcp_tool]
async fn weather(city: _) -> String {
    city
}

fn main() {
    let _ = tools![weather];
}
