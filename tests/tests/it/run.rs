//! No tests: builders with a fixed clock and call id, and calls without an async runtime.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, CallId, CallToolRequest, CallToolResponse, Dispatcher, DispatcherBuilder,
    ExactCalls, Output, ProtocolVersion, ToolError, ToolHandler, ToolMetadata, mcp,
};
use serde_json::Value;

pub(crate) const LATEST: ProtocolVersion = ProtocolVersion::LATEST;
pub(crate) const LEGACY: [ProtocolVersion; 2] = [ProtocolVersion::V2025_06_18, ProtocolVersion::V2025_11_25];

/// Returns a builder whose calls take five milliseconds and have the id `call-1`.
pub(crate) fn exact() -> DispatcherBuilder {
    exact_after(Duration::from_millis(5))
}

/// Returns a builder whose calls take this long and have the id `call-1`.
pub(crate) fn exact_after(duration: Duration) -> DispatcherBuilder {
    Dispatcher::builder().exact_calls(ExactCalls::new(CallId::new("call-1").expect("a valid id"), duration))
}

pub(crate) fn serve(tools: Vec<Box<dyn ToolHandler>>) -> Dispatcher {
    built(exact().tools(tools))
}

pub(crate) fn built(builder: DispatcherBuilder) -> Dispatcher {
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the errors of `build`. Panics if it succeeds.
pub(crate) fn faults(builder: DispatcherBuilder) -> Vec<String> {
    builder.build().expect_err("an error").errors().to_vec()
}

/// Whether a future has woken itself.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Returns the output of a future that waits for nothing. With large arguments it lets other tasks run and wakes itself.
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let woken = Arc::<Woken>::default();
    let waker = Waker::from(Arc::clone(&woken));
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending if woken.0.swap(false, Ordering::SeqCst) => {}
            Poll::Pending => panic!("the future waits"),
        }
    }
}

/// Polls a future once, and returns its output if it is ready.
pub(crate) fn polled<T>(future: std::pin::Pin<&mut impl Future<Output = T>>) -> Option<T> {
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

/// Waits until it is polled again, on any executor.
pub(crate) async fn pause() {
    let mut polled = false;
    std::future::poll_fn(|cx| {
        if std::mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

pub(crate) fn call(dispatcher: &Dispatcher, name: &str, arguments: Value) -> CallToolResponse {
    send(dispatcher, CallToolRequest::new(name, arguments))
}

pub(crate) fn send(dispatcher: &Dispatcher, request: CallToolRequest) -> CallToolResponse {
    now(dispatcher.call(request)).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the value of a call. Panics if the call fails.
pub(crate) fn value(dispatcher: &Dispatcher, name: &str, arguments: Value) -> Value {
    call(dispatcher, name, arguments).deserialize().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the error of a call. Panics if the call succeeds.
pub(crate) fn error(dispatcher: &Dispatcher, name: &str, arguments: Value) -> ToolError {
    call(dispatcher, name, arguments).error().unwrap_or_else(|| panic!("{name} succeeded")).clone()
}

/// Returns the error message of a call. Panics if the call succeeds.
pub(crate) fn message(dispatcher: &Dispatcher, name: &str, arguments: Value) -> String {
    error(dispatcher, name, arguments).message().to_owned()
}

/// Returns the lines of an error message, sorted because their order is unspecified.
pub(crate) fn lines(dispatcher: &Dispatcher, name: &str, arguments: Value) -> Vec<String> {
    let message = message(dispatcher, name, arguments);
    let mut lines: Vec<_> = message.lines().map(str::to_owned).collect();
    assert_eq!(lines.remove(0), "invalid arguments:");
    lines.sort_unstable();
    lines
}

pub(crate) fn mcp(response: &CallToolResponse, version: ProtocolVersion) -> Value {
    json(&response.to_mcp(version))
}

/// Returns the response of Open Tool Calling.
pub(crate) fn otc(response: &CallToolResponse) -> Value {
    json(&response.to_otc())
}

pub(crate) fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("JSON")
}

/// Returns the definition in the list of one version.
pub(crate) fn listed(dispatcher: &Dispatcher, name: &str, version: ProtocolVersion) -> Value {
    let list: Value = serde_json::from_slice(dispatcher.list_json(version)).expect("a list");
    let tools = list["tools"].as_array().expect("tools");
    tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("no tool {name}")).clone()
}

pub(crate) fn input(dispatcher: &Dispatcher, name: &str) -> Value {
    listed(dispatcher, name, LATEST)["inputSchema"].clone()
}

pub(crate) fn property(dispatcher: &Dispatcher, name: &str, property: &str) -> Value {
    input(dispatcher, name)["properties"][property].clone()
}

/// Returns the output schema of the latest version.
pub(crate) fn output(dispatcher: &Dispatcher, name: &str) -> Value {
    listed(dispatcher, name, LATEST)["outputSchema"].clone()
}

/// A hand-written tool.
pub(crate) struct ByHand<F> {
    definition: mcp::Tool,
    answer: F,
}

impl<F> ByHand<F>
where
    F: Fn(&CallContext, Value) -> Result<Output, ToolError> + Send + Sync + 'static,
{
    pub(crate) fn new(definition: mcp::Tool, answer: F) -> Self {
        Self { definition, answer }
    }

    /// Returns a tool that accepts any arguments.
    pub(crate) fn any(name: &str, answer: F) -> Self {
        Self::new(mcp::Tool::new(name, "Written by hand.", serde_json::json!({"type": "object"})), answer)
    }
}

impl<F> ToolHandler for ByHand<F>
where
    F: Fn(&CallContext, Value) -> Result<Output, ToolError> + Send + Sync + 'static,
{
    fn definition(&self) -> mcp::Tool {
        self.definition.clone()
    }

    fn metadata(&self) -> ToolMetadata {
        ToolMetadata::new()
    }

    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move { (self.answer)(cx, arguments.to_value()) })
    }
}

/// Returns a hand-written tool with this input schema. It is never called.
pub(crate) fn taking(name: &str, input_schema: Value) -> impl ToolHandler {
    let tool = mcp::Tool::new(name, "Written by hand.", input_schema);
    ByHand::new(tool, |_, arguments| Output::value(arguments))
}

/// Returns a hand-written tool with this output schema that returns its argument `value`.
pub(crate) fn giving(name: &str, output_schema: Value) -> impl ToolHandler {
    let tool = mcp::Tool::new(name, "Written by hand.", serde_json::json!({"type": "object"}));
    ByHand::new(tool.with_output_schema(output_schema), |_, arguments| Output::value(&arguments["value"]))
}

/// Returns the names of the tools in the list.
pub(crate) fn names(dispatcher: &Dispatcher) -> Vec<&str> {
    dispatcher.list_all().iter().map(|tool| tool.name.as_str()).collect()
}

/// Estimates the tokens of a text one byte at a time, as the guide `large_results` describes it.
pub(crate) fn tokens(text: &str) -> u64 {
    let parts = text.bytes().map(|byte| match byte {
        b'0'..=b'9' => 114,
        b'!'..=b'?' => 58,
        0..=127 => 33,
        128.. => 28,
    });
    parts.sum::<u64>().div_ceil(100)
}
