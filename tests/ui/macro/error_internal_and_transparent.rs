#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("busy")]
    #[tool_error(internal, transparent)]
    Busy(std::io::Error),
}

fn main() {
    println!("{}", Failure::Busy(std::io::Error::other("x")));
}
