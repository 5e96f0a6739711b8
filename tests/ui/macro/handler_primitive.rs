use mcp_tool_runtime::{mcp_tool, tools};

/// Whether it is so.
#[mcp_tool]
async fn bool(yes: String) -> String {
    yes
}

fn main() {
    let _ = tools![bool];
}
