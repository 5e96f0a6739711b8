use mcp_tool_runtime::{mcp_tool, tools};

/// Send a mail.
#[mcp_tool]
async fn send_mail(#[mcp_tool(formerly("address", "to"))] to: String) -> String {
    to
}

fn main() {
    let _ = tools![send_mail];
}
