use std::path::Path;

use mcp_tool_runtime::mcp_tool;

/// Count the files.
#[mcp_tool]
async fn count(paths: Vec<&Path>) -> usize {
    paths.len()
}

fn main() {}
