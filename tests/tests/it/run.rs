//! What every test needs: a dispatcher with exact results, and calls on it. No async runtime is involved.

use std::pin::pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mcp_tool_runtime::{
    Arguments, BoxFuture, CallContext, CallId, CallToolRequest, CallToolResponse, Dispatcher, DispatcherBuilder,
    Output, ProtocolVersion, ToolError, ToolHandler, mcp,
};
use serde_json::Value;

pub(crate) const LATEST: ProtocolVersion = ProtocolVersion::LATEST;
pub(crate) const LEGACY: [ProtocolVersion; 2] = [ProtocolVersion::V2025_06_18, ProtocolVersion::V2025_11_25];

/// A builder whose calls take five milliseconds each and have the id `call-1`.
pub(crate) fn exact() -> DispatcherBuilder {
    exact_after(Duration::from_millis(5))
}

/// A builder whose clock goes on by `step` each time it is read: at the start of a call, and at its end.
pub(crate) fn exact_after(step: Duration) -> DispatcherBuilder {
    let reads = AtomicU32::new(0);
    let clock = move || step * reads.fetch_add(1, Ordering::SeqCst);
    Dispatcher::builder().clock(clock).call_ids(|| CallId::from("call-1"))
}

pub(crate) fn serve(tools: Vec<Box<dyn ToolHandler>>) -> Dispatcher {
    built(exact().tools(tools))
}

pub(crate) fn built(builder: DispatcherBuilder) -> Dispatcher {
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

/// The faults of a builder that must have some.
pub(crate) fn faults(builder: DispatcherBuilder) -> Vec<String> {
    builder.build().expect_err("a fault").faults().to_vec()
}

/// The answer of a future that never waits.
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future waits"),
    }
}

/// Whether a future is done, after it was polled once.
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

/// The value of a call that must succeed.
pub(crate) fn value(dispatcher: &Dispatcher, name: &str, arguments: Value) -> Value {
    call(dispatcher, name, arguments).deserialize().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The error of a call that must fail.
pub(crate) fn error(dispatcher: &Dispatcher, name: &str, arguments: Value) -> ToolError {
    call(dispatcher, name, arguments).error().unwrap_or_else(|| panic!("{name} succeeded")).clone()
}

/// What the model reads of a call that must fail.
pub(crate) fn message(dispatcher: &Dispatcher, name: &str, arguments: Value) -> String {
    error(dispatcher, name, arguments).message().to_owned()
}

/// The faults that the model reads, in alphabetical order: no order is promised.
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

pub(crate) fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("JSON")
}

/// A definition as clients of one version read it.
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

/// The output schema of the latest version.
pub(crate) fn output(dispatcher: &Dispatcher, name: &str) -> Value {
    listed(dispatcher, name, LATEST)["outputSchema"].clone()
}

/// A tool without the attribute.
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

    /// A tool that takes any arguments.
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

    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move { (self.answer)(cx, arguments.as_value()?) })
    }
}

/// A tool by hand that is never called: its schema is looked at.
pub(crate) fn taking(name: &str, input_schema: Value) -> impl ToolHandler {
    let tool = mcp::Tool::new(name, "Written by hand.", input_schema);
    ByHand::new(tool, |_, arguments| Output::value(arguments))
}

/// A tool by hand that gives back its argument `value`, of this schema if it keeps its word.
pub(crate) fn giving(name: &str, output_schema: Value) -> impl ToolHandler {
    let tool = mcp::Tool::new(name, "Written by hand.", serde_json::json!({"type": "object"}));
    ByHand::new(tool.with_output_schema(output_schema), |_, arguments| Output::value(&arguments["value"]))
}
