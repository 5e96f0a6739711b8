use mcp_tool_runtime::mcp_tool;

/// Adds numbers.
#[mcp_tool(bloking)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
