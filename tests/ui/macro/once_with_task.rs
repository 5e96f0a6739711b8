use mcp_tool_runtime::{mcp_tool, tools};

/// Send a mail.
#[mcp_tool(once = "10m", task)]
async fn send_mail(to: String) -> String {
    to
}

fn main() {
    let _ = tools![send_mail];
}
