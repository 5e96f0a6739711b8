use mcp_tool_runtime::{mcp_tool, tools};

struct City {
    name: String,
}

/// The weather of a city.
#[mcp_tool]
async fn weather(
    /// Where to look.
    city: City,
    days: u8,
) -> String {
    city.name + &days.to_string()
}

fn main() {
    let _ = tools![weather];
}
