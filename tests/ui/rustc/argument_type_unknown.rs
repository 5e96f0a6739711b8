use mcp_tool_runtime::{mcp_tool, tools};

mod places {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub struct City {
        pub name: String,
    }
}

/// The weather of a city.
#[mcp_tool]
async fn weather(city: City) -> String {
    city.name
}

fn main() {
    let _ = tools![weather];
}
