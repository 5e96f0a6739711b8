use mcp_tool_runtime::{mcp_tool, tools};

/// Count to three.
#[mcp_tool]
async fn numbers() -> Result<impl serde::Serialize, String> {
    Ok([1, 2, 3])
}

fn main() {
    let _ = tools![numbers];
}
