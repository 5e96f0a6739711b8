//! Parts of the server that fail while a call runs: its clock, its ids, a value that it attaches. The call is answered all the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Wake, Waker};
use std::time::Duration;

use mcp_tool_runtime::{CallContext, CallToolRequest, Dispatcher, mcp_tool, tools};
use serde_json::json;

use crate::run;

/// Return `true`.
#[mcp_tool]
async fn alive() -> bool {
    true
}

#[test]
fn a_clock_that_panics_does_not_end_a_call() {
    let reads = AtomicUsize::new(0);
    let clock = move || match reads.fetch_add(1, Ordering::SeqCst) {
        // The start of the first call, and the end of the second one.
        0 | 3 => panic!("no clock"),
        n => Duration::from_millis(n as u64),
    };
    let dispatcher = run::built(Dispatcher::builder().tools(tools![alive]).clock(clock));
    for _ in 0..3 {
        assert!(run::call(&dispatcher, "alive", json!({})).is_success());
    }
}

#[test]
fn a_function_for_ids_that_panics_does_not_end_a_call() {
    let dispatcher = run::built(Dispatcher::builder().tools(tools![alive]).call_ids(|| panic!("no ids")));
    let response = run::call(&dispatcher, "alive", json!({}));
    assert!(response.is_success());
    assert_eq!(response.call_id().as_str().len(), 36, "a UUID");
}

#[test]
fn an_extension_whose_drop_panics_does_not_end_a_call() {
    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("boom");
        }
    }
    let dispatcher = run::serve(tools![alive]);
    let request = CallToolRequest::new("alive", json!({})).with_extension(Bomb).with_extension(7_u8);
    assert!(run::send(&dispatcher, request).is_success());
}

#[derive(Default)]
struct Counted;

impl Wake for Counted {
    fn wake(self: Arc<Self>) {}
}

#[test]
fn section_6_a_wait_for_the_cancellation_that_is_dropped_leaves_no_waker() {
    /// Wait many times.
    #[mcp_tool]
    async fn wait(#[mcp_tool(context)] cx: &CallContext) -> usize {
        let waker = Arc::new(Counted);
        let task = Waker::from(Arc::clone(&waker));
        for _ in 0..1_000 {
            let mut wait = std::pin::pin!(cx.cancelled());
            assert!(wait.as_mut().poll(&mut Context::from_waker(&task)).is_pending());
            // Each wait may belong to another task.
            let other = Waker::from(Arc::clone(&waker));
            assert!(wait.as_mut().poll(&mut Context::from_waker(&other)).is_pending());
        }
        drop(task);
        Arc::strong_count(&waker)
    }
    assert_eq!(run::value(&run::serve(tools![wait]), "wait", json!({})), 1);
}
