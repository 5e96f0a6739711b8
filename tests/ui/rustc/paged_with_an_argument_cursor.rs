use mcp_tool_runtime::{Paged, mcp_tool, tools};

/// List the orders.
#[mcp_tool]
async fn list_orders(cursor: Option<String>) -> Result<Paged<String>, String> {
    Ok(Paged::new(cursor))
}

fn main() {
    let _ = tools![list_orders];
}
