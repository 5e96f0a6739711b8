use mcp_tool_runtime::{mcp_tool, tools};

/// Show a value.
#[mcp_tool]
async fn show(value: &(dyn std::fmt::Display + Sync)) -> String {
    value.to_string()
}

fn main() {
    let _ = tools![show];
}
