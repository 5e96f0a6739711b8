#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("busy")]
    Busy(#[tool_error(internal)] String),
}

fn main() {
    println!("{}", Failure::Busy(String::new()));
}
