use mcp_tool_runtime::{mcp_tool, tools};

#[derive(schemars::JsonSchema)]
struct Weather {
    degrees: f64,
}

/// The weather.
#[mcp_tool]
async fn weather() -> Weather {
    Weather { degrees: 21.0 }
}

fn main() {
    let _ = tools![weather];
}
