#[derive(mcp_tool_runtime::IntoToolError)]
enum Failure {
    Busy,
}

fn main() {
    let _ = Failure::Busy;
}
