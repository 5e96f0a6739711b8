use mcp_tool_runtime::{mcp_tool, tools};

/// Count to three.
#[mcp_tool]
async fn numbers() -> impl serde::Serialize {
    [1, 2, 3]
}

fn main() {
    let _ = tools![numbers];
}
