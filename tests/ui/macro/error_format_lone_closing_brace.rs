#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("busy")]
    #[tool_error(developer_message = "a set} of things")]
    Busy,
}

fn main() {
    println!("{}", Failure::Busy);
}
