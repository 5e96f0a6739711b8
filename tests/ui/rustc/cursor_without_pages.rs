use mcp_tool_runtime::{Cursor, mcp_tool, tools};

/// List the orders.
#[mcp_tool]
async fn list_orders(after: Cursor<u32>) -> Vec<u32> {
    after.position().copied().into_iter().collect()
}

fn main() {
    let _ = tools![list_orders];
}
