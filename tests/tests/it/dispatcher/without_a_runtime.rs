//! Calls without an async runtime, on a ten-line executor. Only timeouts and blocking functions need tokio.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use mcp_tool_runtime::{
    BoxFuture, CallContext, CallToolRequest, Dispatcher, Next, Output, ToolError, mcp_tool, mcp_tools, tools,
};
use serde_json::json;

use crate::run::{built, now, pause};

/// Wakes the thread that runs the calls.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs all futures to completion: polls each in turn, then parks the thread until one is woken.
fn run_all<T>(futures: impl IntoIterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut running: Vec<Pin<Box<_>>> = futures.into_iter().map(Box::pin).collect();
    let mut done = Vec::new();
    while !running.is_empty() {
        running.retain_mut(|future| match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => {
                done.push(value);
                false
            }
            Poll::Pending => true,
        });
        if !running.is_empty() {
            // A wake-up that already happened is not lost: `park` then returns at once.
            thread::park_timeout(Duration::from_secs(1));
        }
    }
    done
}

struct Adder {
    more: u32,
}

#[mcp_tools]
impl Adder {
    /// Add, after a pause.
    #[mcp_tool]
    async fn add(
        &self,
        a: u32,
        #[mcp_tool(default = 2)] b: u32,
        #[mcp_tool(context)] cx: &CallContext,
        #[mcp_tool(state)] seen: &Mutex<Vec<u32>>,
        #[mcp_tool(extension)] user: Option<&&'static str>,
    ) -> Result<u32, String> {
        cx.progress(1.0, 2.0, None);
        pause().await;
        cx.progress(2.0, 2.0, None);
        seen.lock().map_err(|_| "closed")?.push(a);
        if user.is_some() { Ok(a + b + self.more) } else { Err("nobody is signed in".to_owned()) }
    }
}

/// Panic, after a pause.
#[mcp_tool]
async fn crash() {
    pause().await;
    panic!("as asked");
}

/// Wait until the call is cancelled.
#[mcp_tool]
async fn wait_until_cancelled(
    #[mcp_tool(context)] cx: &CallContext,
    #[mcp_tool(state)] saved: &Mutex<Option<CallContext>>,
) {
    *saved.lock().expect("a lock") = Some(cx.clone());
    std::future::pending::<()>().await;
}

fn sign_in<'a>(
    request: &'a mut CallToolRequest,
    cx: &'a CallContext,
    next: Next<'a>,
) -> BoxFuture<'a, Result<Output, ToolError>> {
    Box::pin(async move {
        pause().await;
        request.extensions.insert("ann");
        next.run(request, cx).await
    })
}

#[test]
fn calls_run_without_an_async_runtime() {
    let seen = Arc::new(Mutex::new(Vec::<u32>::new()));
    let reports = Arc::new(Mutex::new(0));
    let builder = Dispatcher::builder().service(Adder { more: 10 }).tools(tools![crash]).middleware(sign_in);
    let dispatcher = built(builder.state(Arc::clone(&seen)).max_concurrency(3));
    let calls = (0..100_u32).map(|index| {
        let (dispatcher, reports) = (dispatcher.clone(), Arc::clone(&reports));
        async move {
            let (name, arguments) = if index % 5 == 0 { ("crash", json!({})) } else { ("add", json!({"a": index})) };
            let count = move |_| *reports.lock().expect("a number") += 1;
            let request = CallToolRequest::new(name, arguments).with_progress(count);
            let response = dispatcher.call(request).await.expect("a response");
            (index, response.deserialize::<u32>().ok())
        }
    });
    let answers = run_all(calls);
    assert_eq!(answers.len(), 100);
    for (index, sum) in answers {
        assert_eq!(sum, (index % 5 != 0).then_some(index + 12), "{index}");
    }
    assert_eq!((seen.lock().expect("a list").len(), *reports.lock().expect("a number")), (80, 160));
}

#[test]
fn a_call_is_cancelled_without_an_async_runtime() {
    let saved = Arc::new(Mutex::new(None::<CallContext>));
    let dispatcher = built(Dispatcher::builder().tools(tools![wait_until_cancelled]).state(Arc::clone(&saved)));
    let mut call = Box::pin(dispatcher.call(CallToolRequest::new("wait_until_cancelled", json!({}))));
    assert!(crate::run::polled(call.as_mut()).is_none());
    let cx = saved.lock().expect("a lock").take().expect("a handle");
    let waiting = thread::spawn(move || run_all([async move { cx.cancelled().await }]).len());
    drop(call);
    assert_eq!(waiting.join().ok(), Some(1));
}

#[test]
fn time_outs_and_blocking_functions_without_tokio_are_internal_errors() {
    /// Do nothing, with a time-out.
    #[mcp_tool(timeout = "1s")]
    async fn limited() {}

    /// Do nothing, on the blocking pool.
    #[mcp_tool(blocking)]
    fn pooled() {}

    let dispatcher = built(crate::run::exact().tools(tools![limited, pooled]).max_concurrency(1));
    for name in ["limited", "pooled", "limited"] {
        let response = now(dispatcher.call(CallToolRequest::new(name, json!({})))).expect("a response");
        let error = response.error().expect("an error");
        assert_eq!(error.message(), format!("internal error in tool `{name}` (call_id call-1)"));
        assert!(error.developer_message().is_some_and(|text| text.to_lowercase().contains("tokio")), "{error:?}");
    }
    let without_timer = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let response =
        without_timer.block_on(dispatcher.call(CallToolRequest::new("limited", json!({})))).expect("a response");
    let message = response.error().and_then(ToolError::developer_message);
    assert_eq!(message, Some("a time-out needs a tokio runtime with its timer enabled, and the call runs without one"));
}
