use mcp_tool_runtime::{mcp_tool, tools};

/// Find notes.
#[mcp_tool]
async fn find(#[mcp_tool(arguments)] query: Query, cx: rmcp::service::RequestContext<rmcp::RoleServer>) -> usize {
    0
}

fn main() {
    let _ = tools![find];
}
