// rustc checks the format string.

struct City;

#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("no such city")]
    #[tool_error(developer_message = "{0}")]
    NoCity(City),
}

impl std::fmt::Debug for City {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}

fn main() {
    println!("{}", Failure::NoCity(City));
}
