use mcp_tool_runtime::{mcp_tool, tools};
use std::time::Instant;

/// Wait until then.
#[mcp_tool]
async fn add(until: Instant) -> bool {
    until.elapsed().is_zero()
}

fn main() {
    let _ = tools![add];
}
