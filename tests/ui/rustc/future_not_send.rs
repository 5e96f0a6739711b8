// Only rustc can point at the value and at the `await`.

use std::rc::Rc;

use mcp_tool_runtime::{mcp_tool, tools};

/// Wait.
#[mcp_tool]
async fn wait() -> u8 {
    let shared = Rc::new(5);
    std::future::ready(()).await;
    *shared
}

fn main() {
    let _ = tools![wait];
}
