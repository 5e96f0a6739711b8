use mcp_tool_runtime::Dispatcher;

struct Notes;

impl Notes {
    async fn count(&self) -> u64 {
        0
    }
}

fn main() {
    let _ = Notes.count();
    let _ = Dispatcher::builder().service(Notes);
}
