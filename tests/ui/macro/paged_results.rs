use mcp_tool_runtime::{Paged, mcp_tool, tools};

/// List the orders.
#[mcp_tool]
async fn list_orders() -> Paged<Result<u32, std::io::Error>> {
    Paged::new([])
}

fn main() {
    let _ = tools![list_orders];
}
