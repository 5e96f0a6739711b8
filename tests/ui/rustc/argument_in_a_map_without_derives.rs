// Two parameters, two errors.

use mcp_tool_runtime::{mcp_tool, tools};
use std::collections::HashMap;

struct City {
    name: String,
}

/// Count the cities.
#[mcp_tool]
async fn add(cities: HashMap<String, City>, more: Option<Vec<City>>) -> usize {
    let names = cities.values().chain(more.iter().flatten()).map(|city| city.name.len());
    names.sum()
}

fn main() {
    let _ = tools![add];
}
