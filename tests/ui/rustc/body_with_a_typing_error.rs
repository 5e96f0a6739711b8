use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a.pov(b as u32)
}

fn main() {
    let _ = tools![add];
}
