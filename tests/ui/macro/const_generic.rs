use mcp_tool_runtime::{mcp_tool, tools};

/// Give zeros.
#[mcp_tool]
async fn fill<const N: usize>() -> Vec<u8> {
    vec![0; N]
}

fn main() {
    let _ = tools![fill];
}
