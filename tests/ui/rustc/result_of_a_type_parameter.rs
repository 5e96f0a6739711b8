use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Cache<T>(T);

#[mcp_tools]
impl<T: serde::Serialize + Clone + Send + Sync + 'static> Cache<T> {
    /// Read the value.
    #[mcp_tool]
    async fn read(&self) -> T {
        self.0.clone()
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Cache(1));
}
