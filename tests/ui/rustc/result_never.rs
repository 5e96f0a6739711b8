use mcp_tool_runtime::{mcp_tool, tools};

/// Never come back.
#[mcp_tool]
async fn hang() -> std::convert::Infallible {
    loop {}
}

fn main() {
    let _ = tools![hang];
}
