#![allow(unused)]

use mcp_tool_runtime::{mcp_tool, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(
    #[mcp_tool(ask = "Third, after {second}?")] third: String,
    #[mcp_tool(ask = "First, after {second}?")] first: String,
    #[mcp_tool(ask = "Second, after {first}?")] second: String,
) -> u32 {
    1
}

fn main() {
    let _ = tools![delete];
}
