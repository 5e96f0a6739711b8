use mcp_tool_runtime::mcp_tools;

#[mcp_tools]
mod notes {}

fn main() {}
