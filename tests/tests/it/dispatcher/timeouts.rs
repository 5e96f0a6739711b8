//! Time-outs and blocking functions.
//!
//! The clock of tokio is paused: it moves to the next timer as soon as nothing else can run.

use std::sync::{Mutex, mpsc};
use std::time::Duration;

use mcp_tool_runtime::{
    CallContext, CallToolRequest, CallToolResponse, Dispatcher, DispatcherBuilder, ProtocolVersion, mcp_tool, tools,
};
use serde_json::json;
use tokio::time::Instant;

use crate::run::{self, built, polled};

/// Sleep.
#[mcp_tool]
async fn sleep(millis: u64) -> u64 {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    millis
}

/// Sleep, with a short time-out.
#[mcp_tool(timeout = "50ms")]
async fn nap(millis: u64) -> u64 {
    sleep(millis).await
}

/// Sleep; changes nothing.
#[mcp_tool(timeout = "50ms", read_only_hint)]
async fn watch(millis: u64) -> u64 {
    sleep(millis).await
}

/// Sleep, then set a value.
#[mcp_tool(timeout = "50ms", idempotent_hint, destructive_hint)]
async fn set(millis: u64) -> u64 {
    sleep(millis).await
}

/// Sleep, then append a value.
#[mcp_tool(timeout = "50ms", read_only_hint = false, idempotent_hint = false)]
async fn append(millis: u64) -> u64 {
    sleep(millis).await
}

fn sleeping() -> DispatcherBuilder {
    Dispatcher::builder().tools(tools![sleep, nap, watch, set, append])
}

fn request(name: &str, millis: u64) -> CallToolRequest {
    CallToolRequest::new(name, json!({"millis": millis}))
}

async fn send(dispatcher: &Dispatcher, request: CallToolRequest) -> CallToolResponse {
    dispatcher.call(request).await.unwrap_or_else(|error| panic!("{error}"))
}

/// The message of an error and whether the call can be retried.
fn error(response: &CallToolResponse) -> (&str, bool) {
    let error = response.error().expect("an error");
    (error.message(), error.can_retry())
}

#[tokio::test(start_paused = true)]
async fn section_6_a_tool_that_exceeds_its_time_out_returns_an_error_result() {
    let dispatcher = built(sleeping());
    let start = Instant::now();
    let response = send(&dispatcher, request("nap", 51)).await;
    assert_eq!(error(&response), ("tool `nap` timed out after 50 ms", false));
    assert_eq!((start.elapsed(), response.duration()), (Duration::from_millis(50), Duration::from_millis(50)));
    for version in ProtocolVersion::ALL {
        let result = run::mcp(&response, version);
        assert_eq!((&result["isError"], &result["_meta"]["rs.mcp-tool/can_retry"]), (&json!(true), &json!(false)));
    }
    let otc = run::otc(&response);
    assert_eq!((&otc["success"], &otc["duration"]), (&json!(false), &json!(50)));
    assert!(send(&dispatcher, request("nap", 49)).await.is_success());
}

#[tokio::test(start_paused = true)]
async fn section_6_only_a_repeatable_tool_can_be_retried_after_a_time_out() {
    let dispatcher = built(sleeping());
    for (name, can_retry) in [("nap", false), ("append", false), ("watch", true), ("set", true)] {
        let response = send(&dispatcher, request(name, 60)).await;
        assert_eq!(error(&response), (&*format!("tool `{name}` timed out after 50 ms"), can_retry));
    }
}

#[tokio::test(start_paused = true)]
async fn section_6_the_dispatchers_time_out_applies_to_tools_without_their_own() {
    let dispatcher = built(sleeping().timeout(Duration::from_millis(20)));
    assert_eq!(error(&send(&dispatcher, request("sleep", 21)).await).0, "tool `sleep` timed out after 20 ms");
    // The timeout of the tool takes precedence, even if it is longer.
    assert!(send(&dispatcher, request("nap", 49)).await.is_success());
    assert_eq!(error(&send(&dispatcher, request("nap", 51)).await).0, "tool `nap` timed out after 50 ms");
    let raw = br#"{"name": "sleep", "arguments": {"millis": 21}}"#;
    let raw = dispatcher.call_json(raw, ProtocolVersion::LATEST).await.expect("a result");
    assert!(String::from_utf8_lossy(&raw).contains("tool `sleep` timed out after 20 ms"));
}

#[tokio::test(start_paused = true)]
async fn a_time_out_is_written_in_the_largest_unit_without_a_fraction() {
    for (limit, duration) in [
        (Duration::from_micros(500), "500 µs"),
        (Duration::from_millis(50), "50 ms"),
        (Duration::from_millis(1_500), "1500 ms"),
        (Duration::from_secs(2), "2 s"),
        (Duration::from_secs(90), "90 s"),
        (Duration::from_secs(180), "3 m"),
        (Duration::from_secs(7_200), "2 h"),
    ] {
        let dispatcher = built(sleeping().timeout(limit));
        let response = send(&dispatcher, request("sleep", 10_000_000)).await;
        assert_eq!(error(&response).0, format!("tool `sleep` timed out after {duration}"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_time_out_beyond_the_range_of_the_clock_never_ends_a_call() {
    let dispatcher = built(sleeping().timeout(Duration::MAX));
    assert!(send(&dispatcher, request("sleep", 10_000)).await.is_success());
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_permit_counts_towards_the_time_out_but_not_the_duration() {
    let dispatcher = built(sleeping().max_concurrency(1));
    let (first, second, third) = tokio::join!(
        send(&dispatcher, request("sleep", 30)),
        send(&dispatcher, request("nap", 15)),
        send(&dispatcher, request("nap", 15)),
    );
    assert_eq!(first.duration(), Duration::from_millis(30));
    assert_eq!((second.is_success(), second.duration()), (true, Duration::from_millis(15)));
    // It waited for 45 ms and ran for 5 ms.
    assert_eq!(error(&third), ("tool `nap` timed out after 50 ms", false));
    assert_eq!(third.duration(), Duration::from_millis(5));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_times_out_while_waiting_for_a_permit_can_be_retried() {
    let dispatcher = built(sleeping().max_concurrency(1));
    let (long, waiting) = tokio::join!(send(&dispatcher, request("sleep", 60)), send(&dispatcher, request("nap", 1)));
    assert!(long.is_success());
    assert_eq!(error(&waiting), ("tool `nap` timed out after 50 ms", true));
    assert_eq!(waiting.duration(), Duration::ZERO);
    assert!(send(&dispatcher, request("nap", 1)).await.is_success(), "the permit is free again");
}

#[tokio::test(start_paused = true)]
async fn many_waiting_calls_can_be_dropped_in_any_order() {
    let dispatcher = built(sleeping().max_concurrency(1));
    let mut first = Box::pin(dispatcher.call(request("sleep", 30)));
    assert!(polled(first.as_mut()).is_none());
    for order in [<[_]>::reverse, |_: &mut [_]| {}] {
        let mut waiting: Vec<_> = (0..30_000).map(|_| Box::pin(dispatcher.call(request("sleep", 1)))).collect();
        assert!(waiting.iter_mut().all(|call| polled(call.as_mut()).is_none()));
        order(&mut waiting);
        waiting.into_iter().for_each(drop);
    }
    let mut last = Box::pin(dispatcher.call(request("sleep", 1)));
    assert!(polled(last.as_mut()).is_none(), "the first call has the permit");
    drop(first);
    assert!(last.await.expect("a response").is_success());
}

#[tokio::test(start_paused = true)]
async fn a_call_knows_its_deadline() {
    /// Return the number of milliseconds before the deadline.
    #[mcp_tool(timeout = "1m")]
    async fn limited(#[mcp_tool(context)] cx: &CallContext) -> Option<u128> {
        cx.deadline().map(|deadline| deadline.saturating_duration_since(std::time::Instant::now()).as_millis())
    }

    /// Return whether there is a deadline.
    #[mcp_tool]
    async fn unlimited(#[mcp_tool(context)] cx: &CallContext) -> bool {
        cx.deadline().is_some()
    }

    let with_limit = |builder: DispatcherBuilder| built(builder.tools(tools![limited, unlimited]));
    let dispatcher = with_limit(Dispatcher::builder());
    let left = send(&dispatcher, CallToolRequest::new("limited", json!({}))).await;
    let left: Option<u128> = left.deserialize().expect("a number");
    assert!(left.is_some_and(|left| left > 0 && left <= 60_000), "{left:?}");
    let unlimited = CallToolRequest::new("unlimited", json!({}));
    assert_eq!(send(&dispatcher, unlimited.clone()).await.deserialize::<bool>().ok(), Some(false));
    let dispatcher = with_limit(Dispatcher::builder().timeout(Duration::from_secs(1)));
    assert_eq!(send(&dispatcher, unlimited).await.deserialize::<bool>().ok(), Some(true));
}

/// Channels on which a blocking function reports that it has started, and whether it was cancelled when it stopped.
struct Reports {
    started: mpsc::Sender<()>,
    cancelled: mpsc::Sender<bool>,
}

/// Work until the call is cancelled.
#[mcp_tool(blocking)]
fn toil(#[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] reports: &Reports) {
    let _ = reports.started.send(());
    // A minute at most, so that a defect is a failure and not a hang.
    let _ = (0..60_000).find(|_| {
        std::thread::sleep(Duration::from_millis(1));
        cx.is_cancelled()
    });
    let _ = reports.cancelled.send(cx.is_cancelled());
}

/// A deadline that only turns a hang into a failure.
const LONG: Duration = Duration::from_secs(60);

fn toiling(builder: DispatcherBuilder) -> (Dispatcher, mpsc::Receiver<()>, mpsc::Receiver<bool>) {
    let ((started, has_started), (cancelled, was_cancelled)) = (mpsc::channel(), mpsc::channel());
    (built(builder.tools(tools![toil]).state(Reports { started, cancelled })), has_started, was_cancelled)
}

#[tokio::test]
async fn a_blocking_function_is_cancelled_when_its_call_is_dropped() {
    let (dispatcher, started, cancelled) = toiling(Dispatcher::builder().max_concurrency(1));
    let mut call = Box::pin(dispatcher.call(CallToolRequest::new("toil", json!({}))));
    assert!(polled(call.as_mut()).is_none());
    assert_eq!(started.recv_timeout(LONG), Ok(()));
    drop(call);
    assert_eq!(cancelled.recv_timeout(LONG), Ok(true));
}

#[tokio::test(start_paused = true)]
async fn a_blocking_function_is_cancelled_when_its_call_times_out() {
    let (dispatcher, started, cancelled) = toiling(Dispatcher::builder().timeout(Duration::from_millis(50)));
    let mut call = Box::pin(dispatcher.call(CallToolRequest::new("toil", json!({}))));
    assert!(polled(call.as_mut()).is_none());
    assert_eq!(started.recv_timeout(LONG), Ok(()));
    tokio::time::advance(Duration::from_millis(51)).await;
    assert_eq!(error(&call.await.expect("a response")), ("tool `toil` timed out after 50 ms", false));
    assert_eq!(cancelled.recv_timeout(LONG), Ok(true));
}

#[tokio::test]
async fn a_blocking_function_runs_on_another_thread() {
    /// Return the thread and the arguments.
    #[mcp_tool(blocking)]
    fn thread(word: &str, list: &[u8], maybe: Option<&str>, #[mcp_tool(state)] state: &[u8; 9]) -> String {
        format!("{:?} {word} {list:?} {maybe:?} {}", std::thread::current().id(), state.len())
    }

    /// Fail.
    #[mcp_tool(blocking)]
    fn fail() -> Result<u8, String> {
        Err("no".to_owned())
    }

    let dispatcher = built(Dispatcher::builder().tools(tools![thread, fail]).state([0_u8; 9]));
    let request = CallToolRequest::new("thread", json!({"word": "w", "list": [1]}));
    let text: String = send(&dispatcher, request).await.deserialize().expect("a text");
    assert!(text.ends_with(" w [1] None 9"), "{text}");
    assert!(!text.starts_with(&format!("{:?} ", std::thread::current().id())), "{text}");
    assert_eq!(error(&send(&dispatcher, CallToolRequest::new("fail", json!({}))).await), ("no", false));
    assert_eq!(
        thread("w", &[], None, &[0; 9]).split_once(" w"),
        Some((&*format!("{:?}", std::thread::current().id()), " [] None 9"))
    );
}

#[tokio::test]
async fn a_panic_in_a_blocking_function_is_masked() {
    /// Panic.
    #[mcp_tool(blocking)]
    fn crash() -> u8 {
        panic!("secret on the pool")
    }

    let dispatcher = built(run::exact().tools(tools![crash]).max_concurrency(1));
    for _ in 0..3 {
        let response = send(&dispatcher, CallToolRequest::new("crash", json!({}))).await;
        let error = response.error().expect("an error");
        assert_eq!(error.message(), "internal error in tool `crash` (call_id call-1)");
        assert_eq!(error.developer_message(), Some("panicked: secret on the pool"));
    }
}

#[tokio::test]
async fn a_blocking_function_keeps_its_permit_until_it_ends() {
    /// The first call takes the gate, says so, and waits until it is opened.
    struct Gate {
        gate: Mutex<Option<mpsc::Receiver<()>>>,
        started: mpsc::Sender<()>,
    }

    /// Wait at the gate. Returns whether there was one.
    #[mcp_tool(blocking)]
    fn wait(#[mcp_tool(state)] gate: &Gate) -> bool {
        let receiver = gate.gate.lock().ok().and_then(|mut gate| gate.take());
        let _ = gate.started.send(());
        receiver.is_some_and(|receiver| receiver.recv().is_ok())
    }

    let ((open, gate), (started, has_started)) = (mpsc::channel(), mpsc::channel());
    let gate = Gate { gate: Mutex::new(Some(gate)), started };
    let dispatcher = built(Dispatcher::builder().tools(tools![wait]).state(gate).max_concurrency(1));
    let request = CallToolRequest::new("wait", json!({}));
    {
        let mut first = Box::pin(dispatcher.call(request.clone()));
        assert!(polled(first.as_mut()).is_none());
        assert_eq!(has_started.recv_timeout(LONG), Ok(()));
        // The call is dropped here, while its thread waits at the gate.
    }
    let mut second = Box::pin(dispatcher.call(request));
    assert!(polled(second.as_mut()).is_none(), "the thread still has the permit");
    open.send(()).expect("the first call waits");
    let second = second.await.expect("a response");
    assert!(!second.deserialize::<bool>().expect("a boolean"), "only the first call waits at the gate");
}
