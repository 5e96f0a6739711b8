//! What the targets for requests share: the tools, a runtime, and checks of every answer.

use std::sync::LazyLock;
use std::time::Duration;

use mcp_tool_runtime::{CallContext, CallId, Dispatcher, ExactCalls, mcp_tool, tools};
use mcp_tool_tests::zoo::zoo;
use serde_json::Value;

/// The longest answer to a bad request, in bytes.
pub const MAX_ERROR_BYTES: usize = 16 * 1_024;

/// Look around in one region.
#[mcp_tool]
async fn look(
    #[mcp_tool(header = "Region")] region: String,
    #[mcp_tool(header = "Limit")] limit: Option<i64>,
    #[mcp_tool(header = "Fresh")] fresh: Option<bool>,
) -> String {
    format!("{region} {limit:?} {fresh:?}")
}

/// Report three steps.
#[mcp_tool]
async fn steps(#[mcp_tool(context)] cx: &CallContext) -> u8 {
    for step in 0..3 {
        cx.progress(f64::from(step), 3.0, "a\nstep".to_owned());
        tokio::task::yield_now().await;
    }
    3
}

/// The tools of the zoo, one with headers and one that reports progress. All calls have the same id and duration.
pub static TOOLS: LazyLock<Dispatcher> = LazyLock::new(|| {
    let zoo = zoo().into_iter().map(|specimen| specimen.handler);
    let builder = Dispatcher::builder().tools(zoo).tools(tools![look, steps]);
    let exact = ExactCalls::new(CallId::new("call").expect("a valid id"), Duration::ZERO);
    builder.exact_calls(exact).build().expect("the zoo")
});

/// Runs a future on a runtime without a timer.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    thread_local! {
        static RUNTIME: tokio::runtime::Runtime =
            tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    }
    RUNTIME.with(|runtime| runtime.block_on(future))
}

/// Checks a message from the server: JSON-RPC with a result or an error, and a short error.
pub fn check_message(text: &[u8]) -> Value {
    let message: Value = serde_json::from_slice(text).expect("the message is JSON");
    assert_eq!(message["jsonrpc"], "2.0", "{message}");
    let is_report = message["method"] == "notifications/progress";
    let parts = ["result", "error"].map(|part| usize::from(message.get(part).is_some()));
    assert_eq!(parts[0] + parts[1] + usize::from(is_report), 1, "{message}");
    let is_error = message.get("error").is_some() || message["result"]["isError"] == true;
    if is_error {
        assert!(text.len() <= MAX_ERROR_BYTES + id_bytes(&message), "{} bytes: {message}", text.len());
    }
    if let Some(content) = message["result"].get("content") {
        assert!(content.is_array(), "{message}");
    }
    message
}

/// An answer repeats the id of its request at any length.
fn id_bytes(message: &Value) -> usize {
    message.get("id").map_or(0, |id| id.to_string().len())
}
