use mcp_tool_runtime::{ToolHandler, mcp};

struct Echo;

impl ToolHandler for Echo {
    fn definition(&self) -> mcp::Tool {
        mcp::Tool::new("echo", "Echo.", mcp_tool_runtime::json!({"type": "object"}))
    }
}

fn main() {
    let _ = Echo;
}
