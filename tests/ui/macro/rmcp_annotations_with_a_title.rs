use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool(name = "add", annotations(title = "Add", read_only_hint = true, open_world_hint = false))]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
