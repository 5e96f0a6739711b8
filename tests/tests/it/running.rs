//! Time-outs and functions that block. Time is tokio's own: it stands still until everybody waits.

use std::sync::mpsc;
use std::time::Duration;

use mcp_tool_runtime::{
    CallContext, CallToolRequest, CallToolResponse, Dispatcher, DispatcherBuilder, ProtocolVersion, mcp_tool, tools,
};
use serde_json::json;
use tokio::time::Instant;

use crate::run::{self, built, polled};

/// Sleep for a while.
#[mcp_tool]
async fn sleep(millis: u64) -> u64 {
    tokio::time::sleep(Duration::from_millis(millis)).await;
    millis
}

/// Sleep, but not for long.
#[mcp_tool(timeout = "50ms")]
async fn nap(millis: u64) -> u64 {
    sleep(millis).await
}

/// Watch for a while, which changes nothing.
#[mcp_tool(timeout = "50ms", read_only_hint)]
async fn watch(millis: u64) -> u64 {
    sleep(millis).await
}

/// Set a value after a while, the same one each time.
#[mcp_tool(timeout = "50ms", idempotent_hint, destructive_hint)]
async fn set(millis: u64) -> u64 {
    sleep(millis).await
}

/// Append after a while, once more each time.
#[mcp_tool(timeout = "50ms", read_only_hint = false, idempotent_hint = false)]
async fn append(millis: u64) -> u64 {
    sleep(millis).await
}

/// A builder whose clock is tokio's.
fn paused() -> DispatcherBuilder {
    let start = Instant::now();
    Dispatcher::builder().clock(move || start.elapsed()).tools(tools![sleep, nap, watch, set, append])
}

fn for_millis(name: &str, millis: u64) -> CallToolRequest {
    CallToolRequest::new(name, json!({"millis": millis}))
}

async fn sent(dispatcher: &Dispatcher, request: CallToolRequest) -> CallToolResponse {
    dispatcher.call(request).await.unwrap_or_else(|error| panic!("{error}"))
}

fn told(response: &CallToolResponse) -> (&str, bool) {
    let error = response.error().expect("an error");
    (error.message(), error.can_retry())
}

#[tokio::test(start_paused = true)]
async fn section_6_a_tool_that_runs_longer_than_its_time_out_is_an_error_result() {
    let dispatcher = built(paused());
    let start = Instant::now();
    let response = sent(&dispatcher, for_millis("nap", 51)).await;
    assert_eq!(told(&response), ("tool `nap` timed out after 50 ms", false));
    assert_eq!((start.elapsed(), response.duration()), (Duration::from_millis(50), Duration::from_millis(50)));
    for version in ProtocolVersion::ALL {
        let result = run::mcp(&response, version);
        assert_eq!((&result["isError"], &result["_meta"]["rs.mcp-tool/can_retry"]), (&json!(true), &json!(false)));
    }
    let otc = run::json(&response);
    assert_eq!((&otc["success"], &otc["duration"]), (&json!(false), &json!(50)));
    assert!(sent(&dispatcher, for_millis("nap", 49)).await.is_success());
}

#[tokio::test(start_paused = true)]
async fn section_6_only_what_can_be_repeated_can_be_retried_after_a_time_out() {
    let dispatcher = built(paused());
    for (name, can_retry) in [("nap", false), ("append", false), ("watch", true), ("set", true)] {
        let response = sent(&dispatcher, for_millis(name, 60)).await;
        assert_eq!(told(&response), (&*format!("tool `{name}` timed out after 50 ms"), can_retry));
    }
}

#[tokio::test(start_paused = true)]
async fn section_6_the_dispatchers_time_out_holds_where_a_tool_has_none() {
    let dispatcher = built(paused().timeout(Duration::from_millis(20)));
    assert_eq!(told(&sent(&dispatcher, for_millis("sleep", 21)).await).0, "tool `sleep` timed out after 20 ms");
    // A tool's own counts instead, also where it is longer.
    assert!(sent(&dispatcher, for_millis("nap", 49)).await.is_success());
    assert_eq!(told(&sent(&dispatcher, for_millis("nap", 51)).await).0, "tool `nap` timed out after 50 ms");
    let raw = br#"{"name": "sleep", "arguments": {"millis": 21}}"#;
    let raw = dispatcher.call_json(raw, ProtocolVersion::LATEST).await.expect("a result");
    assert!(String::from_utf8_lossy(&raw).contains("tool `sleep` timed out after 20 ms"));
}

#[tokio::test(start_paused = true)]
async fn a_limit_is_told_in_the_largest_unit_that_it_is_whole_in() {
    for (limit, words) in [
        (Duration::from_micros(500), "500 µs"),
        (Duration::from_millis(50), "50 ms"),
        (Duration::from_millis(1_500), "1500 ms"),
        (Duration::from_secs(2), "2 s"),
        (Duration::from_secs(90), "90 s"),
        (Duration::from_secs(180), "3 m"),
        (Duration::from_secs(7_200), "2 h"),
    ] {
        let dispatcher = built(paused().timeout(limit));
        let response = sent(&dispatcher, for_millis("sleep", 10_000_000)).await;
        assert_eq!(told(&response).0, format!("tool `sleep` timed out after {words}"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_no_clock_reaches_is_none() {
    let dispatcher = built(paused().timeout(Duration::MAX));
    assert!(sent(&dispatcher, for_millis("sleep", 10_000)).await.is_success());
}

#[tokio::test(start_paused = true)]
async fn waiting_counts_towards_the_time_out_and_not_towards_the_duration() {
    let dispatcher = built(paused().max_concurrency(1));
    let (first, second, third) = tokio::join!(
        sent(&dispatcher, for_millis("sleep", 30)),
        sent(&dispatcher, for_millis("nap", 15)),
        sent(&dispatcher, for_millis("nap", 15)),
    );
    assert_eq!(first.duration(), Duration::from_millis(30));
    assert_eq!((second.is_success(), second.duration()), (true, Duration::from_millis(15)));
    // It ran for the last five of its fifty milliseconds.
    assert_eq!(told(&third), ("tool `nap` timed out after 50 ms", false));
    assert_eq!(third.duration(), Duration::from_millis(5));
}

#[tokio::test(start_paused = true)]
async fn a_time_out_that_strikes_a_call_in_waiting_can_be_retried() {
    let dispatcher = built(paused().max_concurrency(1));
    let (long, waiting) =
        tokio::join!(sent(&dispatcher, for_millis("sleep", 60)), sent(&dispatcher, for_millis("nap", 1)));
    assert!(long.is_success());
    assert_eq!(told(&waiting), ("tool `nap` timed out after 50 ms", true));
    assert_eq!(waiting.duration(), Duration::ZERO);
    assert!(sent(&dispatcher, for_millis("nap", 1)).await.is_success(), "no place is lost");
}

#[tokio::test(start_paused = true)]
async fn a_call_knows_its_deadline() {
    /// Say how many milliseconds are left at most.
    #[mcp_tool(timeout = "1m")]
    async fn limited(#[mcp_tool(context)] cx: &CallContext) -> Option<u128> {
        cx.deadline().map(|deadline| deadline.saturating_duration_since(std::time::Instant::now()).as_millis())
    }

    /// Say whether there is a limit.
    #[mcp_tool]
    async fn unlimited(#[mcp_tool(context)] cx: &CallContext) -> bool {
        cx.deadline().is_some()
    }

    let with_limit = |builder: DispatcherBuilder| built(builder.tools(tools![limited, unlimited]));
    let dispatcher = with_limit(Dispatcher::builder());
    let left = sent(&dispatcher, CallToolRequest::new("limited", json!({}))).await;
    let left: Option<u128> = left.deserialize().expect("a number");
    assert!(left.is_some_and(|left| left > 0 && left <= 60_000), "{left:?}");
    let unlimited = CallToolRequest::new("unlimited", json!({}));
    assert_eq!(sent(&dispatcher, unlimited.clone()).await.deserialize::<bool>().ok(), Some(false));
    let dispatcher = with_limit(Dispatcher::builder().timeout(Duration::from_secs(1)));
    assert_eq!(sent(&dispatcher, unlimited).await.deserialize::<bool>().ok(), Some(true));
}

/// Where a blocking function tells that it runs, and whether it was cancelled when it stopped.
struct Told {
    started: mpsc::Sender<()>,
    cancelled: mpsc::Sender<bool>,
}

/// Work until nobody wants the result.
#[mcp_tool(blocking)]
fn toil(#[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] told: &Told) {
    let _ = told.started.send(());
    // Not for ever, so that a defect is a failure and no hang.
    let _ = (0..10_000).find(|_| {
        std::thread::sleep(Duration::from_millis(1));
        cx.is_cancelled()
    });
    let _ = told.cancelled.send(cx.is_cancelled());
}

const LONG: Duration = Duration::from_secs(30);

fn toiling(builder: DispatcherBuilder) -> (Dispatcher, mpsc::Receiver<()>, mpsc::Receiver<bool>) {
    let ((started, has_started), (cancelled, was_cancelled)) = (mpsc::channel(), mpsc::channel());
    (built(builder.tools(tools![toil]).state(Told { started, cancelled })), has_started, was_cancelled)
}

#[tokio::test]
async fn a_blocking_function_whose_call_is_dropped_learns_of_it() {
    let (dispatcher, started, cancelled) = toiling(Dispatcher::builder().max_concurrency(1));
    let mut call = Box::pin(dispatcher.call(CallToolRequest::new("toil", json!({}))));
    assert!(polled(call.as_mut()).is_none());
    assert_eq!(started.recv_timeout(LONG), Ok(()));
    drop(call);
    assert_eq!(cancelled.recv_timeout(LONG), Ok(true));
}

#[tokio::test(start_paused = true)]
async fn a_blocking_function_that_runs_out_of_time_learns_of_it() {
    let (dispatcher, started, cancelled) = toiling(Dispatcher::builder().timeout(Duration::from_millis(50)));
    let mut call = Box::pin(dispatcher.call(CallToolRequest::new("toil", json!({}))));
    assert!(polled(call.as_mut()).is_none());
    assert_eq!(started.recv_timeout(LONG), Ok(()));
    tokio::time::advance(Duration::from_millis(51)).await;
    assert_eq!(told(&call.await.expect("a response")), ("tool `toil` timed out after 50 ms", false));
    assert_eq!(cancelled.recv_timeout(LONG), Ok(true));
}

#[tokio::test]
async fn a_blocking_function_runs_on_another_thread() {
    /// Say on which thread this runs, and what was given.
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
    let said: String = sent(&dispatcher, request).await.deserialize().expect("a text");
    assert!(said.ends_with(" w [1] None 9"), "{said}");
    assert!(!said.starts_with(&format!("{:?} ", std::thread::current().id())), "{said}");
    assert_eq!(told(&sent(&dispatcher, CallToolRequest::new("fail", json!({}))).await), ("no", false));
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
        let response = sent(&dispatcher, CallToolRequest::new("crash", json!({}))).await;
        let error = response.error().expect("an error");
        assert_eq!(error.message(), "internal error in tool `crash` (call_id call-1)");
        assert_eq!(error.developer_message(), Some("panicked: secret on the pool"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_destructor_that_panics_changes_no_time_out_and_spoils_no_drop() {
    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            assert!(std::thread::panicking(), "secret while dropping");
        }
    }

    /// Hold something that must not be dropped.
    #[mcp_tool(timeout = "50ms")]
    async fn hold() {
        let _bomb = Bomb;
        std::future::pending::<()>().await;
    }

    let dispatcher = built(Dispatcher::builder().tools(tools![hold]).max_concurrency(1));
    let request = CallToolRequest::new("hold", json!({}));
    assert_eq!(told(&sent(&dispatcher, request.clone()).await), ("tool `hold` timed out after 50 ms", false));
    let mut call = Box::pin(dispatcher.call(request.clone()));
    assert!(polled(call.as_mut()).is_none());
    drop(call);
    assert_eq!(told(&sent(&dispatcher, request).await), ("tool `hold` timed out after 50 ms", false));
}

#[tokio::test]
async fn a_blocking_function_keeps_its_place_until_it_ends() {
    static GATE: std::sync::Mutex<Option<mpsc::Receiver<()>>> = std::sync::Mutex::new(None);

    /// Wait at the gate, the first time.
    #[mcp_tool(blocking)]
    fn wait() -> bool {
        let gate = GATE.lock().ok().and_then(|mut gate| gate.take());
        gate.is_some_and(|gate| gate.recv().is_ok())
    }

    let (open, gate) = mpsc::channel();
    *GATE.lock().expect("nobody has it") = Some(gate);
    let dispatcher = built(Dispatcher::builder().tools(tools![wait]).max_concurrency(1));
    let request = CallToolRequest::new("wait", json!({}));
    {
        let mut first = Box::pin(dispatcher.call(request.clone()));
        assert!(polled(first.as_mut()).is_none());
        while GATE.lock().is_ok_and(|gate| gate.is_some()) {
            tokio::task::yield_now().await;
        }
        // Dropped here, while its thread waits at the gate.
    }
    let mut second = Box::pin(dispatcher.call(request));
    assert!(polled(second.as_mut()).is_none(), "the thread still has the place");
    open.send(()).expect("somebody waits");
    let second = second.await.expect("it is its turn");
    assert!(!second.deserialize::<bool>().expect("a boolean"), "the gate was for the first");
}
