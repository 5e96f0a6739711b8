use mcp_tool_runtime::mcp_tool;

struct Shop;

#[mcp_tool]
impl Shop {
    /// Open the shop.
    #[mcp_tool]
    async fn open(&self) -> bool {
        true
    }

    /// Close the shop.
    #[mcp_tool]
    async fn close(&self) -> bool {
        true
    }
}

fn main() {}
