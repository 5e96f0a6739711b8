#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
#[tool_error(crate = mcp_tool_runtime)]
enum Failure {
    #[error("busy")]
    Busy,
}

fn main() {
    println!("{}", Failure::Busy);
}
