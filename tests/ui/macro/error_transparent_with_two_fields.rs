use mcp_tool_runtime::ToolError;

#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("inner")]
    #[tool_error(transparent)]
    Inner(ToolError, u8),
}

fn main() {
    println!("{}", Failure::Inner(ToolError::new(""), 0));
}
