use mcp_tool_runtime::{mcp_tool, tools};

fn celsius() -> u8 {
    0
}

/// The temperature.
#[mcp_tool]
async fn temperature(#[serde(default = "celsius")] units: String) -> String {
    units
}

fn main() {
    let _ = tools![temperature];
}
