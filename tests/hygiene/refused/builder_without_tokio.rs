//! Does not compile: the runtime lacks the feature `tokio`. The check expects an error at the time-out.

use std::time::Duration;

use mcp_tool_runtime::Dispatcher;

fn main() {
    let _ = Dispatcher::builder().timeout(Duration::from_secs(5)).build();
}
