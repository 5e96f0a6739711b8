#![allow(unused)]

use mcp_tool_runtime::{Dispatcher, mcp_tool, mcp_tools};

struct Notes<S>(S);

#[mcp_tools]
impl<S: Send + Sync + 'static> Notes<S> {
    /// Delete a note.
    #[mcp_tool]
    async fn delete(
        &self,
        #[mcp_tool(ask = "Who is {second}?")] first: String,
        #[mcp_tool(ask = "Who is {first}?")] second: String,
    ) -> u32 {
        1
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Notes(1));
}
