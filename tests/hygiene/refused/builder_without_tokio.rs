//! Does not compile: the runtime lacks the feature `tokio`. The check expects an error at each argument.

use std::time::Duration;

use mcp_tool_runtime::Dispatcher;

fn main() {
    let _ = Dispatcher::builder().timeout(Duration::from_secs(5)).build();
    let _ = Dispatcher::builder().max_concurrency(8).build();
}
