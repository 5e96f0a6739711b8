#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("gone")]
    #[tool_error(code = true)]
    Gone,
}

fn main() {
    println!("{}", Failure::Gone);
}
