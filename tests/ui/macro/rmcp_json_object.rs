use mcp_tool_runtime::{mcp_tool, tools};

/// Run a query.
#[mcp_tool]
async fn run(arguments: JsonObject) -> usize {
    arguments.len()
}

fn main() {
    let _ = tools![run];
}
