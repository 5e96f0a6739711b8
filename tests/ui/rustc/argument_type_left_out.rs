// rustc reports a missing type, as in any function. Write: the type of the parameter in place of `_`.

use mcp_tool_runtime::{mcp_tool, tools};

/// The weather of a city.
#[mcp_tool]
async fn weather(city: _) -> String {
    city
}

fn main() {
    let _ = tools![weather];
}
