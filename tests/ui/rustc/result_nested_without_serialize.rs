// The error is from the derive on the author's own type: the type of one of its fields lacks the trait.

use mcp_tool_runtime::{mcp_tool, tools};

#[derive(schemars::JsonSchema)]
struct Wind {
    speed: f64,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Weather {
    wind: Wind,
}

/// The weather.
#[mcp_tool]
async fn weather() -> Weather {
    Weather { wind: Wind { speed: 3.0 } }
}

fn main() {
    let _ = tools![weather];
}
