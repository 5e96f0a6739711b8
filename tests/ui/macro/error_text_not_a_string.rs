#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("busy")]
    #[tool_error(additional_prompt_content = ask_again)]
    Busy,
}

fn main() {
    println!("{}", Failure::Busy);
}
