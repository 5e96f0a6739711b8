use mcp_tool_runtime::{Cursor, Paged, mcp_tool, tools};

/// List the orders.
#[mcp_tool]
async fn list_orders(day: Cursor<u16>, id: Cursor<u32>) -> Paged<u32> {
    let _ = day;
    Paged::by(id.position().copied(), |order| *order)
}

fn main() {
    let _ = tools![list_orders];
}
