use mcp_tool_runtime::{mcp_tool, tools};

/// Join texts.
#[mcp_tool]
async fn join(texts: Vec<&str>) -> String {
    texts.join(" ")
}

fn main() {
    let _ = tools![join];
}
