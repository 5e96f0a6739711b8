use mcp_tool_runtime::{mcp_tool, tools, IntoToolError};

#[derive(Debug, thiserror::Error, IntoToolError)]
#[error("busy")]
#[tool_error(hint = "come back later")]
struct Busy;

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> Result<i64, Busy> {
    if a == b { Err(Busy) } else { Ok(a + b) }
}

fn main() {
    let _ = tools![add];
}
