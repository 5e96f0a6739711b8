#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error(transparent)]
    #[tool_error(transparent)]
    Io(std::io::Error),
}

fn main() {
    println!("{}", Failure::Io(std::io::Error::other("")));
}
