use mcp_tool_runtime::{mcp_tool, tools};

/// Count the words.
#[mcp_tool(output_schema = rmcp::handler::server::tool::schema_for_output::<HashMap<String, u64>>().unwrap(), read_only_hint)]
async fn count(text: String) -> usize {
    text.len()
}

fn main() {
    let _ = tools![count];
}
