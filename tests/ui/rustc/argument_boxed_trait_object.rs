use mcp_tool_runtime::{mcp_tool, tools};

/// Show a value.
#[mcp_tool]
async fn show(value: Box<dyn std::fmt::Display + Send>) -> String {
    value.to_string()
}

fn main() {
    let _ = tools![show];
}
