//! Progress reports.

use std::sync::{Arc, Mutex, mpsc};

use mcp_tool_runtime::{CallContext, CallToolRequest, Dispatcher, Progress, mcp_tool, tools};
use serde_json::json;

use crate::run::{self, built, polled, send, serve};

type Seen = Arc<Mutex<Vec<Progress>>>;

fn with_sink(request: CallToolRequest) -> (CallToolRequest, Seen) {
    let seen = Seen::default();
    let sink = Arc::clone(&seen);
    (request.with_progress(move |progress| sink.lock().expect("a list").push(progress)), seen)
}

fn done(seen: &Seen) -> Vec<f64> {
    seen.lock().expect("a list").iter().map(|progress| progress.done).collect()
}

/// Report each of these.
#[mcp_tool]
async fn report(steps: Vec<f64>, #[mcp_tool(context)] cx: &CallContext) -> usize {
    for step in &steps {
        cx.progress(*step, None, None);
    }
    steps.len()
}

#[test]
fn section_6_progress_strictly_increases() {
    let dispatcher = serve(tools![report]);
    let steps = json!([-3, 0, 0, 1, 0.5, 1, 1.25, 100, 99, 1e300]);
    let (request, seen) = with_sink(CallToolRequest::new("report", json!({"steps": steps})));
    assert!(send(&dispatcher, request).is_success());
    assert_eq!(done(&seen), [-3.0, 0.0, 1.0, 1.25, 100.0, 1e300]);
}

#[test]
fn progress_has_a_total_and_a_message() {
    /// Report in every form.
    #[mcp_tool]
    async fn forms(#[mcp_tool(context)] cx: &CallContext) {
        cx.progress(1.0, 4.0, "one".to_owned());
        cx.progress(2.0, Some(4.0), None);
        cx.progress(3.0, None, Some("three".to_owned()));
        cx.progress(4, 9_u64, "four");
        cx.progress(5_usize, None, String::from("five"));
    }

    let (request, seen) = with_sink(CallToolRequest::new("forms", json!({})));
    assert!(send(&serve(tools![forms]), request).is_success());
    let seen = seen.lock().expect("a list");
    let seen: Vec<_> = seen.iter().map(|progress| (progress.total, progress.message.as_deref())).collect();
    assert_eq!(
        seen,
        [
            (Some(4.0), Some("one")),
            (Some(4.0), None),
            (None, Some("three")),
            (Some(9.0), Some("four")),
            (None, Some("five"))
        ]
    );
}

#[test]
fn a_long_message_is_cut() {
    /// Report a long message.
    #[mcp_tool]
    async fn long(#[mcp_tool(context)] cx: &CallContext) {
        cx.progress(1.0, None, "é".repeat(2_048));
        cx.progress(2.0, None, "é".repeat(100_000));
    }
    let (request, seen) = with_sink(CallToolRequest::new("long", json!({})));
    assert!(send(&serve(tools![long]), request).is_success());
    let seen = seen.lock().expect("a list");
    let lengths: Vec<_> = seen.iter().map(|progress| progress.message.as_ref().map(String::len)).collect();
    assert_eq!(lengths, [Some(4_096), Some(4_096 + "…".len())]);
}

#[test]
fn progress_that_is_not_finite_is_dropped_and_later_reports_are_sent() {
    /// Report what no JSON can say.
    #[mcp_tool]
    async fn odd(#[mcp_tool(context)] cx: &CallContext) {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            cx.progress(value, None, None);
            cx.progress(5.0, value, None);
        }
        cx.progress(1.0, None, None);
    }

    let (request, seen) = with_sink(CallToolRequest::new("odd", json!({})));
    assert!(send(&serve(tools![odd]), request).is_success());
    assert_eq!(done(&seen), [1.0]);
}

#[test]
fn without_a_progress_sink_reports_are_ignored() {
    let dispatcher = serve(tools![report]);
    assert!(send(&dispatcher, CallToolRequest::new("report", json!({"steps": [1, 2]}))).is_success());
    let raw = br#"{"name": "report", "arguments": {"steps": [1]}, "_meta": {"progressToken": 1}}"#;
    assert!(run::now(dispatcher.call_json(raw, run::LATEST)).is_ok());
}

/// Holds a call context after the end of its call.
#[derive(Default)]
struct SavedContext(Mutex<Option<CallContext>>);

/// Report once, and save the context.
#[mcp_tool]
async fn save(wait: bool, #[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] saved: &SavedContext) {
    cx.progress(1.0, None, None);
    *saved.0.lock().expect("a lock") = Some(cx.clone());
    if wait {
        std::future::pending::<()>().await;
    }
}

fn with_saved_context() -> (Dispatcher, Arc<SavedContext>) {
    let saved = Arc::new(SavedContext::default());
    (built(run::exact().tools(tools![save]).state(Arc::clone(&saved))), saved)
}

#[test]
fn section_6_nothing_is_reported_after_the_result() {
    let (dispatcher, saved) = with_saved_context();
    let (request, seen) = with_sink(CallToolRequest::new("save", json!({"wait": false})));
    assert!(send(&dispatcher, request).is_success());
    let cx = saved.0.lock().expect("a lock").take().expect("a handle");
    cx.progress(2.0, None, None);
    assert_eq!(done(&seen), [1.0]);
    assert!(!cx.is_cancelled(), "it was answered");
}

#[test]
fn section_6_nothing_is_reported_after_the_call_was_dropped() {
    let (dispatcher, saved) = with_saved_context();
    let (request, seen) = with_sink(CallToolRequest::new("save", json!({"wait": true})));
    let mut call = Box::pin(dispatcher.call(request));
    assert!(polled(call.as_mut()).is_none());
    let cx = saved.0.lock().expect("a lock").take().expect("a handle");
    cx.progress(2.0, None, None);
    let mut cancelled = Box::pin(cx.cancelled());
    assert!(!cx.is_cancelled() && polled(cancelled.as_mut()).is_none());
    drop(call);
    cx.progress(3.0, None, None);
    assert_eq!(done(&seen), [1.0, 2.0]);
    assert!(cx.is_cancelled() && polled(cancelled.as_mut()).is_some());
}

#[test]
fn values_in_a_dropped_call_see_that_it_was_cancelled() {
    /// Records on drop whether the call is cancelled.
    struct RecordOnDrop<'a>(&'a CallContext, &'a Mutex<Vec<bool>>);

    impl Drop for RecordOnDrop<'_> {
        fn drop(&mut self) {
            self.1.lock().expect("a list").push(self.0.is_cancelled());
        }
    }

    /// Wait for ever, or not at all. The only handle on the call is `cx`.
    #[mcp_tool]
    async fn hold(wait: bool, #[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] cancelled: &Mutex<Vec<bool>>) {
        let _record = RecordOnDrop(cx, cancelled);
        if wait {
            std::future::pending::<()>().await;
        }
    }

    let cancelled = Arc::new(Mutex::new(Vec::<bool>::new()));
    let dispatcher = built(run::exact().tools(tools![hold]).state(Arc::clone(&cancelled)));
    assert!(send(&dispatcher, CallToolRequest::new("hold", json!({"wait": false}))).is_success());
    let mut call = Box::pin(dispatcher.call(CallToolRequest::new("hold", json!({"wait": true}))));
    assert!(polled(call.as_mut()).is_none());
    drop(call);
    assert_eq!(*cancelled.lock().expect("a list"), [false, true]);
}

#[test]
fn dropping_a_call_does_not_wait_for_a_running_report() {
    type Held = Mutex<Option<mpsc::Sender<()>>>;

    /// Hold something for ever, while a thread reports.
    #[mcp_tool]
    async fn hold(#[mcp_tool(context)] cx: &CallContext, #[mcp_tool(state)] held: &Held) {
        let _held = held.lock().expect("a lock").take();
        let cx = cx.clone();
        std::thread::spawn(move || cx.progress(1.0, None, None));
        std::future::pending::<()>().await;
    }

    let (held, free) = mpsc::channel::<()>();
    let (reported, reports) = mpsc::channel();
    let free = Mutex::new(free);
    let request = CallToolRequest::new("hold", json!({})).with_progress(move |_| {
        reported.send("begun").expect("a test");
        // Waits until the tool drops the sender.
        assert!(free.lock().expect("a receiver").recv().is_err());
        reported.send("done").expect("a test");
    });
    let dispatcher = built(run::exact().tools(tools![hold]).state(Mutex::new(Some(held))));
    let mut call = Box::pin(dispatcher.call(request));
    assert!(polled(call.as_mut()).is_none());
    assert_eq!(reports.recv(), Ok("begun"));
    drop(call);
    assert_eq!(reports.try_recv(), Ok("done"), "the report ends when the call is dropped");
}

#[test]
fn clones_of_a_context_share_the_call() {
    /// Take a handle, and another from that one, and report with each.
    #[mcp_tool]
    async fn several(#[mcp_tool(context)] cx: &CallContext) -> bool {
        let first = cx.clone();
        let second = first.clone();
        for (done, cx) in [(0.0, cx), (1.0, &first), (2.0, &second)] {
            // Only the first and the last are greater than the report before.
            cx.progress(1.0, None, None);
            cx.progress(done, None, None);
        }
        first.meta() == cx.meta() && second.meta().contains_key("trace") && second.call_id() == cx.call_id()
    }

    let (request, seen) = with_sink(CallToolRequest::new("several", json!({})));
    let meta = json!({"trace": 1}).as_object().cloned().expect("an object");
    assert_eq!(send(&serve(tools![several]), request.with_meta(meta)).deserialize().ok(), Some(true));
    assert_eq!(done(&seen), [1.0, 2.0]);
}

#[test]
fn a_panic_of_the_progress_sink_is_a_masked_error() {
    let dispatcher = serve(tools![report]);
    let request = CallToolRequest::new("report", json!({"steps": [1, 2]})).with_progress(|_| panic!("secret sink"));
    let response = send(&dispatcher, request);
    assert_eq!(
        response.error().map(mcp_tool_runtime::ToolError::message),
        Some("internal error in tool `report` (call_id call-1)")
    );
}

#[test]
fn progress_from_many_threads_keeps_its_order() {
    /// Report from several threads at once.
    #[mcp_tool]
    async fn race(#[mcp_tool(context)] cx: &CallContext) {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..1_000_u32).for_each(|step| cx.progress(step, None, None)));
            }
        });
    }

    let (request, seen) = with_sink(CallToolRequest::new("race", json!({})));
    assert!(send(&serve(tools![race]), request).is_success());
    let done = done(&seen);
    assert!(done.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(done.last(), Some(&999.0));
}
