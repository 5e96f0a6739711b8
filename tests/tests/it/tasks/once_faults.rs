//! What `build` refuses of a tool with `once`.

use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, Dispatcher, Output, Tasks, ToolError, ToolHandler, ToolMetadata, mcp, mcp_tool,
    tools,
};

use crate::run::faults;

/// Send a mail.
#[mcp_tool(once = "10m")]
async fn send_mail() {}

/// A handler of one's own, because the macro refuses both keys.
struct WithTask;

impl ToolHandler for WithTask {
    fn definition(&self) -> mcp::Tool {
        send_mail {}.definition()
    }

    fn metadata(&self) -> ToolMetadata {
        send_mail {}.metadata().with_task()
    }

    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move { send_mail {}.call(cx, arguments).await })
    }
}

#[test]
fn once_needs_tasks_and_excludes_task() {
    let found = faults(Dispatcher::builder().tools(tools![send_mail]));
    assert!(found[0].starts_with("tool `send_mail`: it has `once`, so the builder needs `.tasks(…)`"), "{found:?}");
    let both = faults(Dispatcher::builder().tool(WithTask).tasks(Tasks::in_memory()));
    assert!(both[0].contains("`once` and `task`"), "{both:?}");
}
