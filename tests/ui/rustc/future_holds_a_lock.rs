// Only rustc can point at the value and at the `await`.

use std::sync::Mutex;

use mcp_tool_runtime::{mcp_tool, tools};

static COUNT: Mutex<u8> = Mutex::new(0);

/// Count.
#[mcp_tool]
async fn count() -> u8 {
    let mut count = COUNT.lock().unwrap();
    std::future::ready(()).await;
    *count += 1;
    *count
}

fn main() {
    let _ = tools![count];
}
