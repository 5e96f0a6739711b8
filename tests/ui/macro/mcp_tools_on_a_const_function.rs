use mcp_tool_runtime::mcp_tools;

/// The answer.
#[mcp_tools]
const fn answer() -> i64 {
    42
}

fn main() {
    let _ = answer();
}
