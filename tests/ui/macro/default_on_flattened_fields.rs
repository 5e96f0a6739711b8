use mcp_tool_runtime::{mcp_tool, tools};

#[derive(Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Place {
    _name: String,
}

/// Add two numbers.
#[mcp_tool]
async fn add(
    #[mcp_tool(default = Place::default())]
    #[serde(flatten)]
    place: Place,
) -> i64 {
    let _ = place;
    0
}

fn main() {
    let _ = tools![add];
}
