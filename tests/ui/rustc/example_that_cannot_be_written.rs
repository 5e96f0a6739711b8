// serde and rustc report the missing trait.

use mcp_tool_runtime::{mcp_tool, tools};

struct Secret;

/// Add two numbers.
#[mcp_tool]
async fn add(#[mcp_tool(example = Secret)] a: i64) -> i64 {
    let _ = a;
    0
}

fn main() {
    let _ = tools![add];
}
