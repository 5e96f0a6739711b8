use mcp_tool_runtime::{tools, Dispatcher};

struct Notes;

impl Notes {
    fn new() -> Self {
        Self
    }
}

fn main() {
    let _ = Dispatcher::builder().tools(tools![Notes::new()]);
}
