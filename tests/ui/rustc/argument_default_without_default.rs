use mcp_tool_runtime::{mcp_tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Units {
    Celsius,
}

/// The temperature.
#[mcp_tool]
async fn temperature(#[serde(default)] units: Units) -> u8 {
    units as u8
}

fn main() {
    let _ = tools![temperature];
}
