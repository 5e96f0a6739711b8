use std::sync::Arc;

use mcp_tool_runtime::Dispatcher;

struct Notes;

fn main() {
    let _ = Dispatcher::builder().service(Arc::new(Notes));
}
