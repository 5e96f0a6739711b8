use mcp_tool_runtime::{mcp_tool, tools};

struct Weather {
    degrees: f64,
}

/// The weather.
#[mcp_tool]
async fn weather() -> Vec<Weather> {
    vec![Weather { degrees: 21.0 }]
}

fn main() {
    let _ = tools![weather];
}
