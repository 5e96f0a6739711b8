#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("no city is called {name}")]
    #[tool_error(additional_prompt_content = "ask for another than {city}")]
    NoCity { name: String, country: String },
}

fn main() {
    println!("{}", Failure::NoCity { name: String::new(), country: String::new() });
}
