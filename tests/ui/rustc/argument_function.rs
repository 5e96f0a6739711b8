use mcp_tool_runtime::{mcp_tool, tools};

/// Apply a function.
#[mcp_tool]
async fn apply(function: fn(i64) -> i64, value: i64) -> i64 {
    function(value)
}

fn main() {
    let _ = tools![apply];
}
