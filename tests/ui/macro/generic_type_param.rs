use mcp_tool_runtime::{mcp_tool, tools};

/// Show a value.
#[mcp_tool]
async fn show<T: ToString>(value: T) -> String {
    value.to_string()
}

fn main() {
    let _ = tools![show];
}
