use mcp_tool_runtime::{mcp_tool, tools, IntoToolError};

#[derive(Debug, thiserror::Error, IntoToolError)]
enum Failure {
    #[error("busy")]
    #[tool_error(message = "come back later")]
    Busy,
}

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> Result<i64, Failure> {
    if a == b { Err(Failure::Busy) } else { Ok(a + b) }
}

fn main() {
    let _ = tools![add];
}
