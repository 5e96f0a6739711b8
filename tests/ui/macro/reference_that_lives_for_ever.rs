use mcp_tool_runtime::mcp_tool;

/// Look up a city.
#[mcp_tool]
async fn find(city: &'static str) -> usize {
    city.len()
}

fn main() {}
