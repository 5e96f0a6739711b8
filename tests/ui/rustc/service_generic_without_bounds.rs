use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Notes<S>(S);

#[mcp_tools]
impl<S> Notes<S> {
    /// Count the notes.
    #[mcp_tool]
    async fn count(&self) -> u64 {
        0
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Notes(std::rc::Rc::new(1)));
}
