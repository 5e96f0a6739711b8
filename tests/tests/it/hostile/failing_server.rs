//! A value of the server that panics when it is dropped, and waits that are dropped. The call is answered all the same.

use std::sync::Arc;
use std::task::{Context, Wake, Waker};

use mcp_tool_runtime::{CallContext, CallToolRequest, mcp_tool, tools};
use serde_json::json;

use crate::run;

/// Return `true`.
#[mcp_tool]
async fn alive() -> bool {
    true
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
