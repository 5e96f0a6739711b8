//! The future of a call: boxed, or run on tokio's blocking pool.

use super::{Arguments, ArgumentsCodec, BoxFuture, CallContext, Output, ReturnCodec, ToolError};

/// Boxes the future of a call. For a future that is not `Send` the compile error shows the comments of this function.
#[rustfmt::skip]
pub fn boxed<'f, T>(
    // help: put what is not `Send` into a block `{ … }` that ends before `.await`; `drop` alone does not end it
    future: impl Future<Output = T> + Send + 'f, // help: or write `Arc` for `Rc`, and an async lock for one of `std`
) -> BoxFuture<'f, T> {
    Box::pin(future)
}

/// Reads the arguments, calls the function and writes what it returns. For a future that is not `Send` the compile error shows the
/// comments of this function.
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

/// A function on the blocking pool. If it has not started when this is dropped, it never starts.
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
/// Dropping the future does not stop the function, since a thread cannot be stopped. The function can ask
/// [`CallContext::is_cancelled`]. It holds the call's permit until it ends, so `max_concurrency` limits threads too.
#[cfg(feature = "tokio")]
pub async fn blocking<R: Send + 'static>(
    cx: &CallContext,
    function: impl FnOnce(&CallContext) -> Result<R, ToolError> + Send + 'static,
) -> Result<R, ToolError> {
    let cx = cx.clone();
    let permit = cx.call_state().permit();
    #[cfg(feature = "tracing")]
    let span = tracing::Span::current();
    let run = move || {
        #[cfg(feature = "tracing")]
        let _inside = span.enter();
        let returned = function(&cx);
        drop(permit);
        returned
    };
    let mut running = Running(tokio::task::spawn_blocking(run));
    match (&mut running.0).await {
        Ok(returned) => returned,
        Err(error) => match error.try_into_panic() {
            Ok(payload) => std::panic::resume_unwind(payload),
            Err(error) => Err(ToolError::internal(error)),
        },
    }
}

/// The same signature without tokio, so that the only compile error is that of `require_tokio`.
#[cfg(not(feature = "tokio"))]
pub async fn blocking<R: Send + 'static>(
    _: &CallContext,
    _: impl FnOnce(&CallContext) -> Result<R, ToolError> + Send + 'static,
) -> Result<R, ToolError> {
    Err(ToolError::masked("there is no blocking pool".to_owned()))
}
