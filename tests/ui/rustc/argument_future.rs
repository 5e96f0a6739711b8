use mcp_tool_runtime::{mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, progress: tokio::sync::mpsc::Sender<i64>) -> i64 {
    drop(progress);
    a
}

fn main() {
    let _ = tools![add];
}
