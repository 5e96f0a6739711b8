use mcp_tool_runtime::{mcp_tool, tools};
use std::collections::HashMap;

#[derive(PartialEq, Eq, Hash)]
struct City;

/// Count the cities.
#[mcp_tool]
async fn add(cities: HashMap<City, u32>) -> usize {
    cities.len()
}

fn main() {
    let _ = tools![add];
}
