use mcp_tool_runtime::ToolError;

#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
#[tool_error(transparent)]
enum Failure {
    #[error("inner")]
    Inner(ToolError),
}

fn main() {
    println!("{}", Failure::Inner(ToolError::new("")));
}
