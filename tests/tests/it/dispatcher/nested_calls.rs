//! Tools that call other tools of their dispatcher.
//!
//! The clock of tokio is paused: it moves to the next timer as soon as nothing else can run.

#![allow(clippy::similar_names, reason = "the names are those of the calls")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_tool_runtime::{
    Answer, CallContext, CallToolRequest, CallToolResponse, Consent, Dispatcher, DispatcherBuilder, ToolError,
    mcp_tool, middleware, tools,
};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::run::{self, built, exact, now, polled, send};

/// What the tools did, in order.
#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl Log {
    fn write(&self, line: impl Into<String>) {
        self.0.lock().expect("a log").push(line.into());
    }

    /// Takes the lines. Generated call ids become `id-1`, `id-2`, …
    fn read(&self) -> Vec<String> {
        let mut lines = std::mem::take(&mut *self.0.lock().expect("a log"));
        let text = lines.join(" ");
        let is_uuid = |word: &&str| word.len() == 36 && word.matches('-').count() == 4;
        let mut ids: Vec<_> = text.split([' ', '"']).filter(is_uuid).collect();
        ids.dedup();
        for (index, id) in ids.into_iter().enumerate() {
            for line in &mut lines {
                *line = line.replace(id, &format!("id-{}", index + 1));
            }
        }
        lines
    }
}

struct User(&'static str);

/// Writes a line when it is dropped before it is disarmed.
struct OnDrop<'l>(&'l Log, &'static str);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.write(self.1);
    }
}

/// Return the error of a response, else its value.
fn value(response: &CallToolResponse) -> Result<Value, ToolError> {
    match response.error() {
        Some(error) => Err(error.clone()),
        None => Ok(response.deserialize()?),
    }
}

/// Call a tool and return its value.
#[mcp_tool]
async fn relay(
    name: String,
    arguments: serde_json::Map<String, Value>,
    #[mcp_tool(context)] cx: &CallContext,
    #[mcp_tool(state)] log: &Arc<Log>,
) -> Result<Value, ToolError> {
    log.write(format!("{} below {:?}", cx.call_id(), cx.parent().map(ToString::to_string)));
    value(&cx.call(name, arguments).await?)
}

/// Add one.
#[mcp_tool]
async fn increase(
    number: u32,
    #[mcp_tool(context)] cx: &CallContext,
    #[mcp_tool(extension)] user: Option<&User>,
    #[mcp_tool(state)] log: &Arc<Log>,
) -> u32 {
    let user = user.map_or("nobody", |user| user.0);
    log.write(format!("{} below {:?} for {user}", cx.call_id(), cx.parent().map(ToString::to_string)));
    number + 1
}

/// Wait, for a long time.
#[mcp_tool]
async fn wait(#[mcp_tool(state)] log: &Arc<Log>, #[mcp_tool(context)] cx: &CallContext) -> bool {
    let _drop = OnDrop(log, "wait was dropped");
    log.write("wait runs");
    tokio::time::sleep(Duration::from_secs(3_600)).await;
    cx.is_cancelled()
}

fn relaying() -> DispatcherBuilder {
    Dispatcher::builder().tools(tools![relay, increase, wait])
}

fn served(builder: DispatcherBuilder) -> (Dispatcher, Arc<Log>) {
    let log = Arc::new(Log::default());
    (built(builder.state(Arc::clone(&log))), log)
}

fn relayed(times: usize, name: &str, arguments: Value) -> CallToolRequest {
    let innermost = (name.to_owned(), arguments);
    let (name, arguments) = (0..times)
        .fold(innermost, |(name, arguments), _| ("relay".to_owned(), json!({"name": name, "arguments": arguments})));
    CallToolRequest::new(name, arguments)
}

#[tokio::test(start_paused = true)]
async fn three_levels_run_under_one_permit_each_with_an_id_and_a_parent() {
    let (dispatcher, log) = served(relaying().max_concurrency(1));
    let request = relayed(2, "increase", json!({"number": 6})).with_call_id("call-1").with_extension(User("ann"));
    let response = dispatcher.call(request).await.expect("a response");
    assert_eq!(value(&response).ok(), Some(json!(7)));
    assert_eq!(response.call_id().as_str(), "call-1");
    let expected = ["call-1 below None", "id-1 below Some(\"call-1\")", "id-2 below Some(\"id-1\") for ann"];
    assert_eq!(log.read(), expected);
    // The permit is free again.
    assert!(dispatcher.call(relayed(1, "increase", json!({"number": 1}))).await.expect("a response").is_success());
}

#[test]
fn a_nested_call_needs_no_async_runtime() {
    /// Call a tool and return its value.
    #[mcp_tool]
    async fn outer(#[mcp_tool(context)] cx: &CallContext) -> Result<u8, ToolError> {
        Ok(cx.call("inner", json!({})).await?.deserialize()?)
    }

    /// Return a number.
    #[mcp_tool]
    async fn inner() -> u8 {
        5
    }

    assert_eq!(run::value(&run::serve(tools![outer, inner]), "outer", json!({})), 5);
}

#[tokio::test(start_paused = true)]
async fn many_nested_calls_at_once_run_under_one_permit() {
    /// Increase a number in many calls at once.
    #[mcp_tool]
    async fn spread(count: u32, #[mcp_tool(context)] cx: &CallContext) -> Result<u32, ToolError> {
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..count {
            tasks.spawn(cx.call("increase", json!({"number": number})));
        }
        let mut sum = 0;
        while let Some(response) = tasks.join_next().await {
            sum += response??.deserialize::<u32>()?;
        }
        Ok(sum)
    }

    let (dispatcher, _) = served(relaying().tools(tools![spread]).max_concurrency(1));
    let request = CallToolRequest::new("spread", json!({"count": 50}));
    let (one, other) = tokio::join!(dispatcher.call(request.clone()), dispatcher.call(request));
    for response in [one, other] {
        assert_eq!(response.expect("a response").deserialize::<u32>().ok(), Some((1..=50).sum()));
    }
}

#[tokio::test(start_paused = true)]
async fn a_cycle_ends_after_sixteen_calls_with_an_error_result() {
    /// Call itself.
    #[mcp_tool]
    async fn again(
        #[mcp_tool(context)] cx: &CallContext,
        #[mcp_tool(state)] log: &Arc<Log>,
    ) -> Result<Value, ToolError> {
        log.write("again");
        value(&cx.call("again", json!({})).await?)
    }

    let (dispatcher, log) = served(relaying().tools(tools![again]).max_concurrency(1));
    let response = dispatcher.call(CallToolRequest::new("again", json!({}))).await.expect("a response");
    let error = response.error().expect("an error");
    let expected = "tool `again` was not called: the chain of calls is 16 deep, and may not be deeper";
    assert_eq!((error.message(), error.can_retry()), (expected, false));
    assert_eq!(log.read().len(), 16);
    // The limit is that of a chain, not of a tool.
    let (dispatcher, _) = served(relaying());
    let chain = |times| relayed(times, "increase", json!({"number": 0}));
    assert!(dispatcher.call(chain(15)).await.expect("a response").is_success());
    assert!(!dispatcher.call(chain(16)).await.expect("a response").is_success());
}

#[tokio::test(start_paused = true)]
async fn dropping_the_call_drops_every_nested_call() {
    let (dispatcher, log) = served(relaying().max_concurrency(1));
    let mut call = Box::pin(dispatcher.call(relayed(2, "wait", json!({}))));
    assert!(polled(call.as_mut()).is_none());
    assert_eq!(log.read()[2..], ["wait runs"]);
    drop(call);
    assert_eq!(log.read(), ["wait was dropped"]);
    assert!(dispatcher.call(relayed(1, "increase", json!({"number": 1}))).await.expect("a response").is_success());
}

#[tokio::test(start_paused = true)]
async fn a_nested_call_in_a_spawned_task_is_cancelled_with_its_caller() {
    /// Wait in a task.
    #[mcp_tool]
    async fn detach(#[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] log: &Arc<Log>) {
        let (cx, log) = (cx.clone(), Arc::clone(log));
        tokio::spawn(async move {
            let response = cx.call("wait", json!({})).await;
            log.write(response.map_or("no response".to_owned(), |response| format!("{:?}", response.error())));
        });
        std::future::pending::<()>().await;
    }

    let (dispatcher, log) = served(relaying().tools(tools![detach]));
    let mut call = Box::pin(dispatcher.call(CallToolRequest::new("detach", json!({}))));
    assert!(polled(call.as_mut()).is_none());
    tokio::task::yield_now().await;
    assert_eq!(log.read(), ["wait runs"]);
    drop(call);
    tokio::task::yield_now().await;
    let lines = log.read();
    assert_eq!(lines[0], "wait was dropped");
    assert!(lines[1].contains("tool `wait` was cancelled with the call that started it"), "{lines:?}");
}

#[tokio::test(start_paused = true)]
async fn a_nested_call_after_the_end_of_its_caller_waits_for_a_permit() {
    /// Leave a task behind.
    #[mcp_tool]
    async fn leave(#[mcp_tool(context)] cx: &CallContext) {
        let cx = cx.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(1)).await;
            cx.call("increase", json!({"number": 1})).await
        });
    }

    let (dispatcher, log) = served(relaying().tools(tools![leave]).max_concurrency(1));
    let request = CallToolRequest::new("leave", json!({})).with_call_id("call-1");
    assert!(dispatcher.call(request).await.expect("a response").is_success());
    let mut long = Box::pin(dispatcher.call(CallToolRequest::new("wait", json!({}))));
    assert!(polled(long.as_mut()).is_none());
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(log.read(), ["wait runs"], "the permit is taken");
    drop(long);
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(log.read(), ["wait was dropped", "id-1 below Some(\"call-1\") for nobody"]);
}

#[tokio::test(start_paused = true)]
async fn the_timeout_of_the_caller_ends_the_nested_call() {
    /// Wait for a tool, and hide its failure.
    #[mcp_tool(timeout = "50ms")]
    async fn patient(#[mcp_tool(context)] cx: &CallContext) -> Result<&'static str, ToolError> {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let response = cx.call("wait", json!({})).await?;
        Ok(if response.is_success() { "waited" } else { "hidden" })
    }

    let (dispatcher, log) = served(relaying().tools(tools![patient]).timeout(Duration::from_secs(60)));
    let start = Instant::now();
    let response = dispatcher.call(CallToolRequest::new("patient", json!({}))).await.expect("a response");
    assert_eq!(response.error().map(ToolError::message), Some("tool `patient` timed out after 50 ms"));
    assert_eq!(start.elapsed(), Duration::from_millis(50));
    assert_eq!(log.read(), ["wait runs", "wait was dropped"]);
}

#[tokio::test(start_paused = true)]
async fn a_nested_call_has_its_own_timeout_if_that_is_shorter() {
    /// Wait for a short time.
    #[mcp_tool(timeout = "10ms")]
    async fn hurry() {
        std::future::pending::<()>().await;
    }

    let (dispatcher, _) = served(relaying().tools(tools![hurry]).timeout(Duration::from_millis(50)));
    let start = Instant::now();
    let response = dispatcher.call(relayed(1, "hurry", json!({}))).await.expect("a response");
    assert_eq!(response.error().map(ToolError::message), Some("tool `hurry` timed out after 10 ms"));
    assert_eq!(start.elapsed(), Duration::from_millis(10));
}

#[tokio::test(start_paused = true)]
async fn a_nested_call_knows_what_is_left_of_the_deadline() {
    /// Return the milliseconds that are left.
    #[mcp_tool]
    async fn left(#[mcp_tool(context)] cx: &CallContext) -> Option<u128> {
        cx.deadline().map(|deadline| (deadline - Instant::now().into_std()).as_millis())
    }

    /// Wait, then ask how much is left.
    #[mcp_tool(timeout = "50ms")]
    async fn late(#[mcp_tool(context)] cx: &CallContext) -> Result<Value, ToolError> {
        tokio::time::sleep(Duration::from_millis(20)).await;
        value(&cx.call("left", json!({})).await?)
    }

    let (dispatcher, _) = served(relaying().tools(tools![left, late]).timeout(Duration::from_secs(9)));
    let response = dispatcher.call(CallToolRequest::new("late", json!({}))).await.expect("a response");
    assert_eq!(value(&response).ok(), Some(json!(30)));
}

#[tokio::test(start_paused = true)]
async fn the_deadline_holds_for_a_task_that_outlives_the_caller() {
    /// Leave a task behind.
    #[mcp_tool(timeout = "50ms")]
    async fn leave(#[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] log: &Arc<Log>) {
        let (cx, log) = (cx.clone(), Arc::clone(log));
        tokio::spawn(async move {
            let response = cx.call("wait", json!({})).await.expect("a response");
            log.write(response.error().map_or("no error", ToolError::message));
        });
    }

    let (dispatcher, log) = served(relaying().tools(tools![leave]));
    let start = Instant::now();
    assert!(dispatcher.call(CallToolRequest::new("leave", json!({}))).await.expect("a response").is_success());
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(start.elapsed() < Duration::from_secs(2));
    assert_eq!(log.read(), ["wait runs", "wait was dropped", "tool `wait` timed out with the call that started it"]);
}

#[tokio::test(start_paused = true)]
async fn the_layers_run_around_a_nested_call() {
    let (layered, seen) = {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&seen);
        let layer = middleware::from_fn(move |request, cx, next| {
            sink.lock().expect("a list").push((request.name.clone(), cx.parent().is_some()));
            request.extensions.insert(User("layer"));
            Box::pin(next.run(request, cx))
        });
        (relaying().middleware(layer), seen)
    };
    let (dispatcher, log) = served(layered);
    let response =
        dispatcher.call(relayed(1, "increase", json!({"number": 1})).with_call_id("call-1")).await.expect("a response");
    assert_eq!(value(&response).ok(), Some(json!(2)));
    let seen = std::mem::take(&mut *seen.lock().expect("a list"));
    assert_eq!(seen, [("relay".to_owned(), false), ("increase".to_owned(), true)]);
    assert_eq!(log.read()[1], "id-1 below Some(\"call-1\") for layer");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_no_tool_can_answer_is_a_dispatch_error_for_the_caller() {
    /// Call a tool that does not exist, and one that needs an extension.
    #[mcp_tool]
    async fn lost(#[mcp_tool(context)] cx: &CallContext) -> Vec<String> {
        let mut errors = Vec::new();
        for name in ["incraese", "private"] {
            errors.extend(cx.call(name, json!({})).await.err().map(|error| error.to_string()));
        }
        errors
    }

    /// Need a user.
    #[mcp_tool]
    async fn private(#[mcp_tool(extension)] user: &User) -> &'static str {
        user.0
    }

    let (dispatcher, _) = served(relaying().tools(tools![lost, private]));
    let errors: Vec<String> = send(&dispatcher, CallToolRequest::new("lost", json!({}))).deserialize().expect("texts");
    let expected =
        ["unknown tool `incraese`; did you mean `increase`?", "the server did not attach what this tool needs"];
    assert_eq!(errors, expected);
}

#[tokio::test(start_paused = true)]
async fn a_nested_call_cannot_reach_a_tool_that_is_hidden_from_the_client() {
    struct Admin;

    /// Reset everything.
    #[mcp_tool(tags("admin"))]
    async fn reset() -> bool {
        true
    }

    // The layer cannot show more tools: only what the transport attached counts.
    let layer = middleware::from_fn(|request, cx, next| {
        request.extensions.insert(Admin);
        Box::pin(next.run(request, cx))
    });
    let builder = relaying().tools(tools![reset]).middleware(layer);
    let (dispatcher, _) = served(
        builder.visible(|tool, extensions| !tool.tags().contains("admin") || extensions.get::<Admin>().is_some()),
    );
    for times in 1..=2 {
        let hidden = dispatcher.call(relayed(times, "reset", json!({}))).await.expect("a response");
        let error = hidden.error().expect("an error");
        assert_eq!(error.developer_message(), Some("unknown tool `reset`"));
        let request = relayed(times, "reset", json!({})).with_extension(Admin);
        assert!(dispatcher.call(request).await.expect("a response").is_success());
    }
}

#[tokio::test(start_paused = true)]
async fn a_nested_tool_cannot_ask_the_user() {
    /// Do what the user wants.
    #[mcp_tool]
    async fn decide(
        #[mcp_tool(ask = "Go on?")] go: Answer<Consent>,
        #[mcp_tool(ask = "How many?")] count: Answer<u8>,
    ) -> String {
        format!("{go:?} {count:?}")
    }

    let (dispatcher, _) = served(relaying().tools(tools![decide]));
    let capabilities = json!({"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}});
    let request = relayed(1, "decide", json!({})).with_meta(capabilities.as_object().expect("an object").clone());
    let response = dispatcher.call(request).await.expect("a response");
    assert_eq!(value(&response).ok(), Some(json!("Unavailable Unavailable")));
}

#[tokio::test(start_paused = true)]
async fn wrong_arguments_of_a_nested_call_are_a_response() {
    let (dispatcher, _) = served(relaying());
    let response = dispatcher.call(relayed(1, "increase", json!({"numbr": 1}))).await.expect("a response");
    let message = response.error().map(ToolError::message).unwrap_or_default();
    assert_eq!(
        message,
        "invalid arguments:\n- numbr: not known; did you mean `number`?\n- number: required, but missing"
    );
}

#[tokio::test(start_paused = true)]
async fn progress_of_a_nested_call_goes_to_nobody() {
    /// Report progress.
    #[mcp_tool]
    async fn step(#[mcp_tool(context)] cx: &CallContext) {
        cx.progress(100.0, None, None);
    }

    let (dispatcher, _) = served(relaying().tools(tools![step]));
    let reports = Arc::new(AtomicUsize::new(0));
    let sink = Arc::clone(&reports);
    let request = relayed(1, "step", json!({})).with_progress(move |_| {
        sink.fetch_add(1, Ordering::SeqCst);
    });
    assert!(dispatcher.call(request).await.expect("a response").is_success());
    assert_eq!(reports.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn a_nested_call_without_its_dispatcher_is_an_error_result() {
    struct Kept(Mutex<Option<CallContext>>);

    /// Keep the context.
    #[mcp_tool]
    async fn keep(#[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] kept: &Arc<Kept>) {
        *kept.0.lock().expect("a context") = Some(cx.clone());
    }

    let kept = Arc::new(Kept(Mutex::default()));
    let dispatcher = built(exact().tools(tools![keep]).state(Arc::clone(&kept)));
    assert!(send(&dispatcher, CallToolRequest::new("keep", json!({}))).is_success());
    drop(dispatcher);
    let cx = kept.0.lock().expect("a context").take().expect("a context");
    let response = now(cx.call("keep", json!({}))).expect("a response");
    let message = response.error().map(ToolError::message);
    assert_eq!(message, Some("tool `keep` was not called: its dispatcher is gone"));
}

/// A tool that calls its own dispatcher by hand.
mod by_hand {
    use std::sync::OnceLock;

    use super::*;

    type Own = Arc<OnceLock<Dispatcher>>;

    /// Call the dispatcher by hand.
    #[mcp_tool]
    async fn by_hand(#[mcp_tool(state)] own: &Own) -> Result<Value, ToolError> {
        let dispatcher = own.get().expect("a dispatcher");
        value(&dispatcher.call(CallToolRequest::new("increase", json!({"number": 1}))).await?)
    }

    /// Call the dispatcher by hand, from a thread.
    #[mcp_tool(blocking)]
    fn by_thread(#[mcp_tool(state)] own: &Own) -> Result<Value, ToolError> {
        let dispatcher = own.get().expect("a dispatcher");
        value(&now(dispatcher.call(CallToolRequest::new("increase", json!({"number": 1}))))?)
    }

    fn served_with_itself(permits: usize) -> Dispatcher {
        let own = Own::default();
        let builder = relaying().tools(tools![by_hand, by_thread]).state(Arc::clone(&own)).max_concurrency(permits);
        let (dispatcher, _) = served(builder);
        assert!(own.set(dispatcher.clone()).is_ok());
        dispatcher
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_by_hand_runs_while_permits_are_free() {
        let dispatcher = served_with_itself(2);
        for name in ["by_hand", "by_thread"] {
            let response = dispatcher.call(CallToolRequest::new(name, json!({}))).await.expect("a response");
            assert_eq!(value(&response).ok(), Some(json!(2)));
        }
    }
    #[tokio::test(start_paused = true)]
    async fn a_call_by_hand_of_another_dispatcher_runs() {
        let (other, _) = served(relaying().max_concurrency(1));
        let own = Own::default();
        assert!(own.set(other).is_ok());
        let (dispatcher, _) = served(relaying().tools(tools![by_hand, by_thread]).state(own).max_concurrency(1));
        for name in ["by_hand", "by_thread"] {
            let response = dispatcher.call(CallToolRequest::new(name, json!({}))).await.expect("a response");
            assert_eq!(value(&response).ok(), Some(json!(2)));
        }
    }
}
