// Two errors: that a type is read for one lifetime only is found after types are told apart, once where the parameter is
// asserted and once where it is read. Write: a type that owns what it has: `String` for `&str`, `Vec<T>` for `&[T]`.

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
