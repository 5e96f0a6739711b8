//! Functions that block, on the pool that is for them.

use super::{CallContext, ToolError};

/// A function on the pool. One that has not begun when nobody waits for it any more does not begin.
#[cfg(feature = "tokio")]
struct Running<R>(tokio::task::JoinHandle<R>);

#[cfg(feature = "tokio")]
impl<R> Drop for Running<R> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Runs a function on the blocking pool. Its panic goes on here, where the call's guard catches it.
///
/// Dropping the future lets the function run to its end, since no thread can be stopped; it can look at
/// [`CallContext::is_cancelled`]. The call's place is free only then: the bound on calls is one on threads too.
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

/// Stands for the other where there is no pool, so that the one error is that of `with_tokio`.
#[cfg(not(feature = "tokio"))]
pub async fn blocking<R: Send + 'static>(
    _: &CallContext,
    _: impl FnOnce(&CallContext) -> Result<R, ToolError> + Send + 'static,
) -> Result<R, ToolError> {
    Err(ToolError::masked("there is no blocking pool".to_owned()))
}
