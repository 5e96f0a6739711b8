#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("gone")]
    #[tool_error(data(0))]
    Gone(u8),
}

fn main() {
    println!("{}", Failure::Gone(1));
}
