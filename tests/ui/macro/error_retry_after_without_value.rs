#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("busy")]
    #[tool_error(retry_after_ms)]
    Busy,
}

fn main() {
    println!("{}", Failure::Busy);
}
