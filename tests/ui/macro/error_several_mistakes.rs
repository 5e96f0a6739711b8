// Three mistakes, three errors.

#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("busy")]
    #[tool_error(retry, can_retry = 5)]
    Busy,
    #[error("gone")]
    #[tool_error(developer_message = "{0}")]
    Gone,
}

fn main() {
    println!("{}{}", Failure::Busy, Failure::Gone);
}
