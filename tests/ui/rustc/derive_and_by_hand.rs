// Only rustc sees both implementations. Help: remove the derive, or the implementation.

use mcp_tool_runtime::{IntoToolError, ToolError};

#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
#[error("busy")]
struct Busy;

impl IntoToolError for Busy {
    fn into_tool_error(self) -> ToolError {
        ToolError::new("busy")
    }
}

fn main() {
    println!("{}", Busy);
}
