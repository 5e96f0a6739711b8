//! Timeouts and blocking functions, as functions and as methods.

use std::time::Duration;

use mcp_tool_runtime::{CallContext, CallToolRequest, Dispatcher, json, mcp_tool, mcp_tools, tools};

/// Sleep for a while.
#[mcp_tool(timeout = "10ms", heartbeat = "5ms", limit = "600/min")]
async fn sleep(millis: u64) -> u64 {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    millis
}

/// Read what only a thread of its own may read.
#[mcp_tool(blocking, timeout = "1h")]
fn read(
    #[mcp_tool(context)] cx: &CallContext,
    #[mcp_tool(state)] text: &String,
    count: usize,
    tail: &str,
) -> Result<String, String> {
    assert_eq!(cx.tool_name(), "read");
    text.get(..count).map(|text| format!("{text}{tail}")).ok_or_else(|| "too short".to_owned())
}

/// The same as a constant function, and given back as it is.
#[mcp_tool(blocking = true)]
const fn double(number: u8) -> u8 {
    number * 2
}

struct Files(&'static str);

#[mcp_tools]
impl Files {
    /// Read from the service.
    #[mcp_tool(blocking, name = "first", timeout = "2m")]
    fn first(&self, count: Option<usize>) -> Option<String> {
        self.0.get(..count.unwrap_or(1)).map(str::to_owned)
    }

    /// Read from the shared service.
    #[mcp_tool(blocking)]
    fn last(self: std::sync::Arc<Self>) -> Option<char> {
        self.0.chars().last()
    }

    /// Without the service.
    #[mcp_tool(blocking)]
    fn alone() {}
}

#[test]
fn runs() {
    let dispatcher = Dispatcher::builder()
        .tools(tools![sleep, read, double])
        .service(Files("abc"))
        .state("text".to_owned())
        .build()
        .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let call = |name: &str, arguments| {
        let response = runtime.block_on(dispatcher.call(CallToolRequest::new(name, arguments))).unwrap();
        match response.error() {
            Some(error) => error.message().to_owned(),
            None => response.value().unwrap().get().to_owned(),
        }
    };
    assert_eq!(call("sleep", json!({"millis": 1})), "1");
    assert_eq!(call("sleep", json!({"millis": 10_000})), "tool `sleep` timed out after 10 ms");
    assert_eq!(call("read", json!({"count": 2, "tail": "!"})), "\"te!\"");
    assert_eq!(call("read", json!({"count": 9, "tail": "!"})), "too short");
    assert_eq!(call("double", json!({"number": 4})), "8");
    assert_eq!(call("first", json!({})), "\"a\"");
    assert_eq!(call("first", json!({"count": 9})), "null");
    assert_eq!(call("last", json!({})), "\"c\"");
    assert_eq!(call("alone", json!({})), "null");
}
