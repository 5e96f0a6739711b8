//! The spans and events of a call that a `tracing` subscriber sees.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use mcp_tool_runtime::protocol::Protocol;
use mcp_tool_runtime::{CallContext, CallToolRequest, ToolError, mcp_tool, tools};
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;

use crate::run::{self, built, exact, polled};
use crate::subscribers;
use crate::wire::{self, MODERN};

pub(crate) type Fields = BTreeMap<String, String>;

/// Recorded spans by id, and events with their span.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) spans: BTreeMap<u64, Fields>,
    parents: BTreeMap<u64, u64>,
    closed: Vec<u64>,
    events: Vec<(Level, Option<u64>, Fields)>,
}

impl Seen {
    /// Returns the only span.
    fn call(&self) -> (u64, &Fields) {
        let mut calls = self.spans.iter().filter(|(_, fields)| fields.contains_key("mcp.method.name"));
        let (Some((id, fields)), None) = (calls.next(), calls.next()) else { panic!("not one span: {self:?}") };
        (*id, fields)
    }
}

#[derive(Clone)]
struct Watch(Arc<Mutex<Seen>>);

impl Watch {
    fn new() -> Self {
        subscribers::keep_two();
        Self(Arc::default())
    }
}

struct Reader<'a>(&'a mut Fields);

impl Visit for Reader<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Watch {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, cx: Context<'_, S>) {
        let mut seen = self.0.lock().expect("seen");
        let mut fields = Fields::new();
        fields.insert("name".to_owned(), attributes.metadata().name().to_owned());
        attributes.record(&mut Reader(&mut fields));
        seen.spans.insert(id.into_u64(), fields);
        let parent = cx.span(id).and_then(|span| span.parent()).map(|parent| parent.id().into_u64());
        parent.map(|parent| seen.parents.insert(id.into_u64(), parent));
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        values.record(&mut Reader(self.0.lock().expect("seen").spans.get_mut(&id.into_u64()).expect("a span")));
    }

    fn on_event(&self, event: &Event<'_>, cx: Context<'_, S>) {
        let mut fields = Fields::new();
        event.record(&mut Reader(&mut fields));
        let within = cx.event_span(event).map(|span| span.id().into_u64());
        self.0.lock().expect("seen").events.push((*event.metadata().level(), within, fields));
    }

    fn on_close(&self, id: Id, _: Context<'_, S>) {
        self.0.lock().expect("seen").closed.push(id.into_u64());
    }
}

pub(crate) fn watched<T>(run: impl FnOnce() -> T) -> (T, Seen) {
    let watch = Watch::new();
    let returned = tracing::subscriber::with_default(tracing_subscriber::registry().with(watch.clone()), run);
    let seen = std::mem::take(&mut *watch.0.lock().expect("seen"));
    (returned, seen)
}

#[test]
fn an_event_that_another_thread_used_first_is_seen() {
    fn say() {
        tracing::info!("said");
    }

    let ((), seen) = watched(|| {
        std::thread::spawn(say).join().expect("no panic");
        say();
    });
    assert_eq!(seen.events.len(), 1);
}

#[test]
fn a_call_that_blocks_its_thread_past_its_timeout_is_logged_once() {
    /// Block the thread.
    #[mcp_tool(timeout = "20ms")]
    async fn block() {
        std::thread::sleep(std::time::Duration::from_millis(120));
    }
    /// Take the time that there is.
    #[mcp_tool(timeout = "20ms")]
    async fn wait() {
        std::future::pending::<()>().await;
    }

    let dispatcher = run::serve(tools![block, wait]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let ((), seen) = watched(|| {
        for tool in ["wait", "block", "block"] {
            runtime.block_on(dispatcher.call(CallToolRequest::new(tool, json!({})))).expect("a response");
        }
    });
    let blocked = seen.events.iter().filter(|(_, _, fields)| fields["message"].contains("blocked its thread"));
    let blocked: Vec<_> = blocked.map(|(level, _, fields)| (*level, &*fields["tool"])).collect();
    assert_eq!(blocked, [(Level::WARN, "block")], "{seen:?}");
}

/// Say something to the logs, before and after a wait.
#[mcp_tool]
async fn talk() -> &'static str {
    tracing::info!("before");
    run::pause().await;
    tracing::info!("after");
    "said"
}

#[test]
fn a_nested_call_has_a_span_below_that_of_its_caller() {
    /// Let another tool talk.
    #[mcp_tool]
    async fn delegate(#[mcp_tool(context)] cx: &CallContext) -> Result<String, ToolError> {
        Ok(cx.call("talk", json!({})).await?.deserialize()?)
    }

    let dispatcher = run::serve(tools![delegate, talk]);
    let ((), seen) = watched(|| {
        let mut call = Box::pin(dispatcher.call(CallToolRequest::new("delegate", json!({}))));
        assert!(polled(call.as_mut()).is_none());
        assert!(polled(call.as_mut()).is_some_and(|response| response.is_ok_and(|response| response.is_success())));
    });
    let (caller, _) = seen.call();
    let nested: Vec<_> = seen.parents.iter().filter(|(_, parent)| **parent == caller).map(|(id, _)| *id).collect();
    let [nested] = nested.as_slice() else { panic!("not one nested span: {seen:?}") };
    let fields = &seen.spans[nested];
    let expected = [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.call.id", "call-1"),
        ("gen_ai.tool.name", "talk"),
        ("name", "tools/call"),
        ("otel.kind", "internal"),
        ("otel.name", "execute_tool talk"),
    ];
    assert_eq!(fields, &expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    assert!(seen.events.iter().all(|(_, span, _)| *span == Some(*nested)), "{:?}", seen.events);
}

#[test]
fn a_call_has_one_span_with_opentelemetry_names() {
    let dispatcher = run::serve(tools![talk]);
    let ((), seen) = watched(|| {
        let outer = tracing::info_span!("outer").entered();
        let mut call = Box::pin(dispatcher.call(CallToolRequest::new("talk", json!({}))));
        assert!(polled(call.as_mut()).is_none());
        tracing::info!("meanwhile");
        drop(outer);
        assert!(polled(call.as_mut()).is_some_and(|response| response.is_ok_and(|response| response.is_success())));
    });
    let (id, fields) = seen.call();
    let expected = [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.call.id", "call-1"),
        ("gen_ai.tool.name", "talk"),
        ("mcp.method.name", "tools/call"),
        ("mcp.protocol.version", "2026-07-28"),
        ("name", "tools/call"),
        ("otel.kind", "server"),
        ("otel.name", "tools/call talk"),
    ];
    assert_eq!(fields, &expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    assert_eq!(seen.spans[&seen.parents[&id]]["name"], "outer");
    assert!(seen.closed.contains(&id));
    // The events of the function are inside the span, and events between two polls are not.
    let of_the_call: Vec<_> =
        seen.events.iter().map(|(_, span, fields)| (*span == Some(id), &*fields["message"])).collect();
    assert_eq!(of_the_call, [(true, "before"), (false, "meanwhile"), (true, "after")]);
}

#[test]
fn the_span_of_a_client_request_has_its_id_and_version() {
    let protocol = Protocol::new(wire::dispatcher());
    for (id, id_text) in [(json!(7), "7"), (json!("abc"), "abc")] {
        let mut message = wire::sum(run::LEGACY[0]);
        message["id"] = id;
        let (answer, seen) = watched(|| run::now(protocol.answer(message.to_string().as_bytes())));
        assert!(answer.is_some());
        let (_, fields) = seen.call();
        assert_eq!((&*fields["jsonrpc.request.id"], &*fields["mcp.protocol.version"]), (id_text, "2025-06-18"));
    }
}

#[test]
fn masked_errors_are_logged_inside_the_span() {
    /// Fail with a message for the logs.
    #[mcp_tool]
    async fn secret() -> Result<String, std::io::Error> {
        Err(std::io::Error::other("the password of db-7 was refused"))
    }

    let dispatcher = run::serve(tools![secret, wire::explode]);
    for (name, message) in [("secret", "the password of db-7 was refused"), ("explode", "panicked: a secret")] {
        let (_, seen) = watched(|| run::call(&dispatcher, name, json!({})));
        let (id, fields) = seen.call();
        assert_eq!((&*fields["error.type"], &*fields["otel.status_code"]), ("tool_error", "ERROR"));
        let [(level, span, event)] = seen.events.as_slice() else { panic!("not one event: {seen:?}") };
        assert_eq!((*level, *span), (Level::ERROR, Some(id)));
        assert_eq!(event["developer_message"], message);
        assert_eq!(event["message"], format!("internal error in tool `{name}` (call_id call-1)"));
    }
}

#[test]
fn an_error_for_the_model_is_not_logged_as_an_error() {
    /// Fail with a message for the model.
    #[mcp_tool]
    async fn refuse() -> Result<String, ToolError> {
        Err(ToolError::new("not today").with_developer_message("it is Sunday"))
    }

    let (_, seen) = watched(|| run::call(&run::serve(tools![refuse]), "refuse", json!({})));
    assert_eq!(seen.call().1["error.type"], "tool_error");
    let levels: Vec<_> = seen.events.iter().map(|(level, _, fields)| (*level, &*fields["developer_message"])).collect();
    assert_eq!(levels, [(Level::DEBUG, "it is Sunday")]);

    let (_, seen) = watched(|| run::call(&run::serve(tools![wire::add]), "add", json!({"a": "secret"})));
    assert_eq!((&*seen.call().1["error.type"], seen.events.len()), ("tool_error", 0));
    assert!(!format!("{seen:?}").contains("secret"));
}

#[test]
fn the_span_of_a_dropped_call_is_marked_as_cancelled() {
    /// Wait for ever.
    #[mcp_tool]
    async fn wait() {
        std::future::pending::<()>().await;
    }

    let dispatcher = run::serve(tools![wait]);
    let ((), seen) = watched(|| {
        let mut call = Box::pin(dispatcher.call(CallToolRequest::new("wait", json!({}))));
        assert!(polled(call.as_mut()).is_none());
    });
    let (id, fields) = seen.call();
    assert_eq!(fields["error.type"], "cancelled");
    assert!(seen.closed.contains(&id));
}

#[test]
fn a_blocking_function_runs_inside_the_span() {
    /// Say something, on a thread of its own.
    #[mcp_tool(blocking)]
    fn speak() -> u8 {
        tracing::info!("from the pool");
        1
    }

    let dispatcher = built(exact().tools(tools![speak]));
    let watch = Watch::new();
    let subscriber = Arc::new(tracing_subscriber::registry().with(watch.clone()));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .on_thread_start({
            let subscriber = Arc::clone(&subscriber);
            move || std::mem::forget(tracing::subscriber::set_default(Arc::clone(&subscriber)))
        })
        .build()
        .expect("a runtime");
    tracing::subscriber::with_default(subscriber, || {
        runtime.block_on(dispatcher.call(CallToolRequest::new("speak", json!({})))).expect("a response")
    });
    let seen = watch.0.lock().expect("seen");
    assert_eq!(seen.events.iter().map(|(_, span, _)| *span).collect::<Vec<_>>(), [Some(seen.call().0)]);
}

#[test]
fn a_missing_extension_is_recorded_as_a_protocol_error() {
    /// Need an extension that is missing.
    #[mcp_tool]
    async fn needs(#[mcp_tool(extension)] count: &u64) -> u64 {
        *count
    }

    let dispatcher = run::serve(tools![needs]);
    let (answer, seen) = watched(|| run::now(dispatcher.call_json(br#"{"name": "needs"}"#, MODERN)));
    assert!(answer.is_err());
    let (id, fields) = seen.call();
    assert_eq!((&*fields["error.type"], &*fields["rpc.response.status_code"]), ("-32603", "-32603"));
    let [(level, span, event)] = seen.events.as_slice() else { panic!("not one event: {seen:?}") };
    assert_eq!((*level, *span), (Level::ERROR, Some(id)));
    assert_eq!(
        event["developer_message"],
        "no extension of type `u64` is attached to the request: over HTTP, a layer in front inserts it into the extensions of the request; \
         elsewhere, the server attaches it with `with_extension`"
    );
}
