use mcp_tool_runtime::{mcp_tool, tools};
use std::collections::HashMap;

struct Weather;

/// The weather.
#[mcp_tool]
async fn add() -> Result<HashMap<String, Weather>, String> {
    Ok(HashMap::new())
}

fn main() {
    let _ = tools![add];
}
