//! Does not compile: the runtime lacks the feature `ask`. The check expects an error at each of the keys.

use mcp_tool_runtime::{Dispatcher, mcp_tool, mcp_tools, tools};

/// Delete a note.
#[mcp_tool]
async fn delete(id: u32, #[mcp_tool(ask = "Delete {id}?")] _sure: bool) {
    let _ = id;
}

struct Files;

#[mcp_tools]
impl Files {
    /// Write a file.
    #[mcp_tool]
    async fn write(&self, #[mcp_tool(ask = "Which?", sealed)] name: String) {
        let _ = name;
    }
}

fn main() {
    let _ = Dispatcher::builder().tools(tools![delete]).service(Files);
}
