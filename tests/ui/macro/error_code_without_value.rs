#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("gone")]
    #[tool_error(code)]
    Gone,
}

fn main() {
    println!("{}", Failure::Gone);
}
