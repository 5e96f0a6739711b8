// Eight mistakes, eight errors.

use mcp_tool_runtime::{mcp_tool, tools};

#[mcp_tool(read_only, name = "a b", title = 3)]
fn add<T>((a, b): (i64, i64), list: &mut Vec<T>) -> i64 {
    list.clear();
    a + b
}

fn main() {
    let _ = tools![add];
}
