#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("busy")]
    #[tool_error(retry)]
    Busy,
}

fn main() {
    println!("{}", Failure::Busy);
}
