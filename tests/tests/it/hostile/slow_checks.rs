//! The work before the tool runs: it counts against the timeout, and a call can be cancelled after it.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_tool_runtime::{CallToolRequest, Dispatcher, DispatcherBuilder, Output, ToolError, middleware};
use serde_json::{Value, json};
use tokio::time::advance;

use crate::run::{self, ByHand};

/// Moves the paused clock, as slow work would.
fn take_a_second() {
    assert!(run::polled(pin!(advance(Duration::from_secs(1)))).is_none(), "the clock moves at the first poll");
}

#[derive(Default)]
struct Runs(AtomicUsize);

async fn error(builder: DispatcherBuilder, arguments: Value) -> ToolError {
    let response = run::built(builder).call(CallToolRequest::new("tool", arguments)).await.expect("a response");
    response.error().expect("an error").clone()
}

#[tokio::test(start_paused = true)]
async fn i4_a_tool_does_not_start_if_the_check_of_its_arguments_ended_after_its_timeout() {
    let tool = || ByHand::any("tool", |_, _| panic!("the tool has started"));
    // A layer runs before the arguments are checked.
    let slow = || {
        middleware::from_fn(|request, cx, next| {
            take_a_second();
            Box::pin(next.run(request, cx))
        })
    };
    let builder = Dispatcher::builder().middleware(slow()).tool(tool());
    let late = error(builder.timeout(Duration::from_secs(1)), json!({})).await;
    assert_eq!(late.message(), "tool `tool` timed out after 1 s");
    assert!(late.can_retry());
    let builder = Dispatcher::builder().middleware(slow()).tool(tool());
    let masked = error(builder.timeout(Duration::from_millis(1_001)), json!({})).await;
    assert!(masked.message().starts_with("internal error"), "{masked:?}");
}

#[test]
fn i4_a_call_can_be_cancelled_after_the_check_of_large_arguments() {
    let runs = std::sync::Arc::<Runs>::default();
    let counted = runs.clone();
    let tool = ByHand::any("tool", move |_, _| {
        counted.0.fetch_add(1, Ordering::SeqCst);
        Output::value(1)
    });
    let dispatcher = run::built(run::exact().tool(tool).max_argument_bytes(usize::MAX));
    let request = |values: usize| CallToolRequest::new("tool", json!({"list": vec![1; values]}));
    {
        let mut call = pin!(dispatcher.call(request(10_000)));
        assert!(run::polled(call.as_mut()).is_none());
    }
    assert_eq!(runs.0.load(Ordering::SeqCst), 0, "the call was dropped");
    {
        let mut call = pin!(dispatcher.call(request(10_000)));
        assert!(run::polled(call.as_mut()).is_none());
        assert!(
            run::polled(call.as_mut()).is_some_and(|response| response.is_ok_and(|response| response.is_success()))
        );
    }
    assert_eq!(runs.0.load(Ordering::SeqCst), 1);
    // Small arguments are checked at once.
    assert!(run::send(&dispatcher, request(100)).is_success());
}
