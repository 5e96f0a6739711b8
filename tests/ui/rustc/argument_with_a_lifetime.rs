// Three errors: the type implements `Deserialize` for one lifetime only. rustc checks lifetimes last, once where the parameter is
// asserted and twice where it is decoded. Write: a type that owns its data: `String` for `&str`, `Vec<T>` for `&[T]`.

use mcp_tool_runtime::{mcp_tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City<'a> {
    name: &'a str,
}

/// The weather of a city.
#[mcp_tool]
async fn weather(city: City<'_>) -> String {
    city.name.to_owned()
}

fn main() {
    let _ = tools![weather];
}
