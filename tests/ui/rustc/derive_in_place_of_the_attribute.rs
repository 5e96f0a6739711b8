use mcp_tool_runtime::mcp_tool;

/// Add two numbers.
#[derive(mcp_tool)]
struct Add {
    a: i64,
    b: i64,
}

fn main() {
    let _ = Add { a: 1, b: 2 };
}
