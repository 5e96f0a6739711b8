use mcp_tool_runtime::{CallToolRequest, Dispatcher, mcp_tool, tools};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

async fn call(request: CallToolRequest) {
    let tools = Dispatcher::builder().tools(tools![add]);
    let _ = tools.call(request).await;
}

fn main() {
    let _ = call;
}
