// Only rustc can point at the value and at the `await`.

use std::sync::Mutex;

use mcp_tool_runtime::{mcp_tool, tools};

static COUNT: Mutex<u8> = Mutex::new(0);

/// Count.
#[mcp_tool]
async fn count() -> u8 {
    let mut count = COUNT.lock().unwrap();
    *count += 1;
    drop(count);
    std::future::ready(()).await;
    5
}

fn main() {
    let _ = tools![count];
}
