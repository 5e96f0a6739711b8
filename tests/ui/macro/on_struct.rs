use mcp_tool_runtime::mcp_tool;

/// A city.
#[mcp_tool]
pub struct City {
    name: String,
}

fn main() {
    let _ = City { name: String::new() }.name;
}
