#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("no city is called {0}")]
    #[tool_error(developer_message = "{0} and {1}")]
    NoCity(String),
}

fn main() {
    println!("{}", Failure::NoCity(String::new()));
}
