#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("busy")]
    #[tool_error(can_retry = 1)]
    Busy,
}

fn main() {
    println!("{}", Failure::Busy);
}
