use mcp_tool_runtime::{Paged, mcp_tool, tools};

struct Order;

/// List the orders.
#[mcp_tool]
async fn list_orders() -> Paged<Order> {
    Paged::new([Order])
}

fn main() {
    let _ = tools![list_orders];
}
