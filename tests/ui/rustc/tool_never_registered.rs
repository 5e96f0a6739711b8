// Only rustc sees what is never used.
// Write: `.tools(tools![add])` on the builder.

#![deny(dead_code)]

use mcp_tool_runtime::{Dispatcher, mcp_tool};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {
    let _ = Dispatcher::builder().build();
}
