use std::marker::PhantomData;

use mcp_tool_runtime::{Dispatcher, mcp_tools};

struct Cache<T>(PhantomData<T>);

#[mcp_tools]
impl<T: Send + Sync + 'static> Cache<T> {
    /// Keep the value.
    #[mcp_tool]
    async fn keep(&self, value: T) {
        drop(value);
    }
}

fn main() {
    let _ = Dispatcher::builder().service(Cache::<u8>(PhantomData));
}
