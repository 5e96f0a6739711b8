use mcp_tool_runtime::{mcp_tool, tools};

struct Json<T>(T);

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Weather {
    temperature: f64,
}

/// The weather.
#[mcp_tool]
async fn add() -> Result<Json<Weather>, String> {
    Ok(Json(Weather { temperature: 20.0 }))
}

fn main() {
    let _ = tools![add];
}
