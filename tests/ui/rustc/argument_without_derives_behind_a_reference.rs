// Three parameters, three errors.

use mcp_tool_runtime::{mcp_tool, tools};

struct City {
    name: String,
}

/// The weather of a city.
#[mcp_tool]
async fn weather(city: &City, others: &[City], last: Option<&City>) -> usize {
    city.name.len() + others.len() + last.map_or(0, |last| last.name.len())
}

fn main() {
    let _ = tools![weather];
}
