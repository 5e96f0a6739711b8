//! Does not compile: the runtime lacks the feature `tokio`. The check expects an error at each of the keys.

use mcp_tool_runtime::{Dispatcher, mcp_tool, mcp_tools, tools};

/// Wait for a while.
#[mcp_tool(timeout = "5s")]
async fn wait() {}

/// Read a file.
#[mcp_tool(blocking)]
fn read() {}

struct Files;

#[mcp_tools]
impl Files {
    /// Write a file.
    #[mcp_tool(read_only_hint = false, timeout = "5s")]
    async fn write(&self) {}
}

fn main() {
    let _ = Dispatcher::builder().tools(tools![wait, read]).service(Files);
}
