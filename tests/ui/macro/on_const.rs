use mcp_tool_runtime::mcp_tool;

/// The answer.
#[mcp_tool]
pub const ANSWER: i64 = 42;

fn main() {
    let _ = ANSWER;
}
