//! The future of a call.

use super::{Arguments, ArgumentsCodec, BoxFuture, CallContext, Output, ReturnCodec, ToolError};
#[cfg(feature = "tokio")]
use crate::log;

/// Boxes the future of a call. The compile error for a future that is not `Send` shows the comments in this signature.
#[rustfmt::skip]
pub fn boxed<'f, T>(
    // help: put what is not `Send` into a block `{ … }` that ends before `.await`; `drop` alone does not end it
    future: impl Future<Output = T> + Send + 'f, // help: or write `Arc` for `Rc`, and an async lock for one of `std`
) -> BoxFuture<'f, T> {
    Box::pin(future)
}

/// Reads the arguments, calls the function and writes what it returns. The compile error for a future that is not
/// `Send` shows the comments in this signature.
#[rustfmt::skip]
pub fn call<
    // help: put what is not `Send` into a block `{ … }` that ends before `.await`; `drop` alone does not end it
    'f, A, R, Called: Future<Output = R> + Send + 'f, // help: or write `Arc` for `Rc`, and an async lock for one of `std`
>(
    arguments: Arguments<'f>,
    arguments_codec: impl ArgumentsCodec<A> + 'f,
    return_codec: impl ReturnCodec<R> + 'f,
    expose_errors: bool,
    function: impl FnOnce(A) -> Called + Send + 'f,
) -> BoxFuture<'f, Result<Output, ToolError>> {
    Box::pin(async move {
        let arguments = arguments_codec.read(&arguments)?;
        let returned = function(arguments).await;
        return_codec.write(returned, expose_errors)
    })
}

/// Stops the build if the feature `tokio` is missing. Tools with the keys `timeout`, `heartbeat` or `blocking` call it
/// in a constant.
#[expect(clippy::assertions_on_constants, reason = "the features decide")]
pub const fn require_tokio() {
    assert!(
        cfg!(feature = "tokio"),
        "the keys `timeout`, `heartbeat` and `blocking` need the feature `tokio` of `mcp-tool-runtime`\n\
         help: add it to the dependency: `features = [\"tokio\"]`"
    );
}

/// A function on the blocking pool. If this value is dropped before the function starts, the function never does.
#[cfg(feature = "tokio")]
struct Running<R>(tokio::task::JoinHandle<R>);

#[cfg(feature = "tokio")]
impl<R> Drop for Running<R> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Runs a function on the blocking pool. A panic is resumed here, where the call catches it.
///
/// A thread cannot be stopped, so a function that has started goes on after the future is dropped. It can ask
/// [`CallContext::is_cancelled`]. It holds the call's permit until it ends, so `max_concurrency` limits threads too.
#[cfg(feature = "tokio")]
pub async fn blocking<R: Send + 'static>(
    cx: &CallContext,
    function: impl FnOnce(&CallContext) -> Result<R, ToolError> + Send + 'static,
) -> Result<R, ToolError> {
    let cx = cx.clone();
    let permit = cx.call_state().permit();
    let run = log::in_current_span(move || {
        let returned = function(&cx);
        drop(permit);
        returned
    });
    let mut running = Running(tokio::task::spawn_blocking(run));
    match (&mut running.0).await {
        Ok(returned) => returned,
        Err(error) => match error.try_into_panic() {
            Ok(payload) => std::panic::resume_unwind(payload),
            Err(error) => Err(ToolError::internal(error)),
        },
    }
}

/// Has the same signature, so that the only compile error without tokio is that of `require_tokio`.
#[cfg(not(feature = "tokio"))]
pub async fn blocking<R: Send + 'static>(
    _: &CallContext,
    _: impl FnOnce(&CallContext) -> Result<R, ToolError> + Send + 'static,
) -> Result<R, ToolError> {
    Err(ToolError::masked("there is no blocking pool".to_owned()))
}
