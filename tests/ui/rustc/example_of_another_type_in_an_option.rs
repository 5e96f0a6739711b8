use mcp_tool_runtime::{mcp_tool, tools};

type Tags = Option<Vec<String>>;

/// Find notes.
#[mcp_tool]
async fn find(#[mcp_tool(example = "rust")] tags: Tags) -> usize {
    tags.map_or(0, |tags| tags.len())
}

fn main() {
    let _ = tools![find];
}
