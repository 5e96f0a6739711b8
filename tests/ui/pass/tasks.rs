//! The key `task`, on functions, methods and blocks, and the key `once`.

use mcp_tool_runtime::{ToolHandler as _, mcp_tool, mcp_tools};

/// May become a task.
#[mcp_tool(task)]
async fn bare(count: u32) -> u32 {
    count
}

/// May become a task as well.
#[mcp_tool(task = true, timeout = "2h")]
async fn flag() {}

/// Never becomes a task.
#[mcp_tool(task = false)]
async fn off() {}

/// Becomes a task for clients that support tasks, and is refused for others.
#[mcp_tool(task = "required", blocking)]
fn required() -> u32 {
    1
}

/// Runs once in an hour with the same arguments.
#[mcp_tool(once = "1h", destructive_hint)]
async fn send(to: String, body: Option<String>) -> usize {
    to.len() + body.map_or(0, |body| body.len())
}

struct Films;

#[mcp_tools(task, timeout = "1h")]
impl Films {
    /// Like the block.
    #[mcp_tool]
    async fn render(&self) {}

    /// Unlike the block.
    #[mcp_tool(task = false)]
    async fn list(&self) {}

    /// More than the block.
    #[mcp_tool(task = "required")]
    async fn upload(&self) {}
}

#[test]
fn runs() {
    let task = |metadata: mcp_tool_runtime::ToolMetadata| (metadata.has_task(), metadata.requires_task());
    assert_eq!(task(bare {}.metadata()), (true, false));
    assert_eq!(task(flag {}.metadata()), (true, false));
    assert_eq!(task(off {}.metadata()), (false, false));
    assert_eq!(task(required {}.metadata()), (true, true));
    let dispatcher = mcp_tool_runtime::Dispatcher::builder().service(Films).build().unwrap();
    assert_eq!(dispatcher.list().len(), 3);
    let builder = mcp_tool_runtime::Dispatcher::builder().tool(send {}).tasks(mcp_tool_runtime::Tasks::in_memory());
    let schema = builder.build().unwrap().list()[0].input_schema.clone();
    assert!(schema["properties"]["idempotency_key"].is_object());
}
