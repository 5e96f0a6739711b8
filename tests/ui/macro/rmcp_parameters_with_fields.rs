use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(Parameters(SumRequest { a, b }): Parameters<SumRequest>) -> i64 {
    a + b
}

fn main() {
    let _ = tools![add];
}
