//! A function on tokio's blocking pool.

use super::{CallContext, ToolError};
use crate::log;

/// A function on the blocking pool. If it has not started when this is dropped, it never starts.
struct Running<R>(tokio::task::JoinHandle<R>);

impl<R> Drop for Running<R> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Runs a function on the blocking pool. A panic is resumed here, where the call catches it.
///
/// Dropping the future does not stop the function, since a thread cannot be stopped. The function can ask
/// [`CallContext::is_cancelled`]. It holds the call's permit until it ends, so `max_concurrency` limits threads too.
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
