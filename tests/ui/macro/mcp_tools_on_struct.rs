use mcp_tool_runtime::mcp_tools;

#[mcp_tools]
struct Notes;

fn main() {
    let _ = Notes;
}
