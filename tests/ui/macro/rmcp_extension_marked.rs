use mcp_tool_runtime::{mcp_tool, tools};

/// Say who is there.
#[mcp_tool]
async fn whoami(#[mcp_tool(extension)] user: Option<&Extension<User>>) -> String {
    String::new()
}

fn main() {
    let _ = tools![whoami];
}
