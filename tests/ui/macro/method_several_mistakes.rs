// Eight mistakes, eight errors, one run.

use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Notes;

#[mcp_tools(prefixes = "notes_")]
impl Notes {
    #[mcp_tool(read_only)]
    fn count(&mut self, (a, b): (u8, u8)) -> u64 {
        u64::from(a + b)
    }

    /// Remove all notes.
    #[mcp_tool(timeout = "never")]
    async fn clear(self) {}
}

fn main() {
    let _ = Dispatcher::builder().service(Notes);
}
