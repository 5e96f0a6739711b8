// rustc reports the default, and goes on to expand the macro.
use mcp_tool_runtime::mcp_tools;

struct Shop;

#[mcp_tools]
impl Shop {
    /// Open the shop.
    #[mcp_tool]
    async fn open(&self) -> bool {
        true
    }

    /// Sell something.
    #[mcp_tool]
    async fn sell(&self, count: u32 = 1) -> u32 {
        count
    }
}

fn main() {}
