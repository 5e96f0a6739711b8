use mcp_tool_runtime::mcp_tools;

struct Notes;

#[mcp_tools]
impl Notes {
    #[rmcp::tool(description = "Count the notes.", annotations(read_only_hint = true), icons = icons())]
    async fn count(&self) -> usize {
        0
    }
}

fn main() {
    let _ = Notes;
}
