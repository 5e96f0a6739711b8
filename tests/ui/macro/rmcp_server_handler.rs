use mcp_tool_runtime::mcp_tools;

struct Notes;

#[mcp_tools]
impl ServerHandler for Notes {
    fn get_info(&self) -> ServerInfo {
        ServerInfo::default()
    }
}

fn main() {
    let _ = Notes;
}
