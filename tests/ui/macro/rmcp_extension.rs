use mcp_tool_runtime::{mcp_tool, tools};

/// Say who is there.
#[mcp_tool]
async fn whoami(parts: Extension<http::request::Parts>) -> String {
    String::new()
}

fn main() {
    let _ = tools![whoami];
}
