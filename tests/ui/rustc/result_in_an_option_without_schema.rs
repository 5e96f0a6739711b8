use mcp_tool_runtime::{mcp_tool, tools};

#[derive(serde::Serialize)]
struct Weather;

/// The weather.
#[mcp_tool]
async fn add() -> Option<Weather> {
    None
}

fn main() {
    let _ = tools![add];
}
