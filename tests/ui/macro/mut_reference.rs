use mcp_tool_runtime::{mcp_tool, tools};

/// Add to a list.
#[mcp_tool]
async fn push(list: &mut Vec<i64>) {
    list.push(1);
}

fn main() {
    let _ = tools![push];
}
