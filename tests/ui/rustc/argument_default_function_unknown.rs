// rustc reports an unknown function. Help: define the function, or give its path: `#[serde(default = "module::function")]`.

use mcp_tool_runtime::{mcp_tool, tools};

/// The temperature.
#[mcp_tool]
async fn temperature(#[serde(default = "celsius")] units: String) -> String {
    units
}

fn main() {
    let _ = tools![temperature];
}
