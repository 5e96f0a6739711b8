use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
#[tool(description = "Add two numbers.", annotations(title = "Add", read_only_hint = true))]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
