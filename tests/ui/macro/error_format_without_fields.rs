#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("busy")]
    #[tool_error(developer_message = "{0}")]
    Busy,
}

fn main() {
    println!("{}", Failure::Busy);
}
