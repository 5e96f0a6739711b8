#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("busy")]
    #[tool_error(crate = ::mcp_tool_runtime)]
    Busy,
}

fn main() {
    println!("{}", Failure::Busy);
}
