use mcp_tool_runtime::{Paged, mcp_tool, tools};

/// List the orders.
#[mcp_tool]
async fn list_orders(customer: u32) -> Paged<u32> {
    Paged::by(customer..100, |order| *order)
}

fn main() {
    let _ = tools![list_orders];
}
