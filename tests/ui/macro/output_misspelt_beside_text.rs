use mcp_tool_runtime::mcp_tool;

/// Does nothing.
#[mcp_tool(ouput = u8, text = off)]
async fn nothing() {}

fn main() {}
