#[derive(Debug)]
struct Seats;

#[derive(Debug, thiserror::Error, mcp_tool_runtime::IntoToolError)]
enum Failure {
    #[error("the seats are taken")]
    #[tool_error(data = free)]
    Taken { free: Seats },
}

fn main() {
    println!("{}", Failure::Taken { free: Seats });
}
