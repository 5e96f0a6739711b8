// A method as rmcp has it: three left-overs, three errors.

use mcp_tool_runtime::mcp_tools;

struct Notes;

#[mcp_tools]
impl Notes {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self, Parameters(query): Parameters<Query>, peer: Peer<RoleServer>) -> Result<CallToolResult, McpError> {
        todo!()
    }
}

fn main() {
    let _ = Notes;
}
