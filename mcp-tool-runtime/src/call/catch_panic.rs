//! Turns a panic of a tool into an error.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::{BoxFuture, ToolError};

/// A tool's future whose panics are errors. After a panic the tool is dropped and never polled again.
pub(crate) struct CatchPanic<'a, T> {
    tool: Option<BoxFuture<'a, Result<T, ToolError>>>,
    yields: bool,
}

impl<'a, T> CatchPanic<'a, T> {
    /// Creates the tool's future. A panic while it is created is an error too.
    pub(crate) fn new(make: impl FnOnce() -> BoxFuture<'a, Result<T, ToolError>>) -> Result<Self, ToolError> {
        match catch_unwind(AssertUnwindSafe(make)) {
            Ok(future) => Ok(Self { tool: Some(future), yields: false }),
            Err(payload) => Err(panicked(payload)),
        }
    }

    /// Yields once before the tool starts, so that other tasks of the thread run. It works on every executor.
    pub(crate) fn yield_first(&mut self) {
        self.yields = true;
    }
}

impl<T> Future for CatchPanic<'_, T> {
    type Output = Result<T, ToolError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if std::mem::take(&mut self.yields) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let Some(tool) = &mut self.tool else { return Poll::Pending };
        match catch_unwind(AssertUnwindSafe(|| tool.as_mut().poll(cx))) {
            Ok(poll) => poll,
            Err(payload) => Poll::Ready(Err(panicked(payload))),
        }
    }
}

impl<T> Drop for CatchPanic<'_, T> {
    fn drop(&mut self) {
        drop_quietly(self.tool.take());
    }
}

fn panicked(payload: Box<dyn Any + Send>) -> ToolError {
    let message = payload.downcast_ref::<&str>().copied();
    let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let error = ToolError::masked(format!("panicked: {}", message.unwrap_or("with a value that is not text")));
    drop_quietly(payload);
    error
}

/// Drops a value of the tool's or the server's. A panic in its `Drop` changes nothing: the result of the call is known by then.
pub(crate) fn drop_quietly<T>(value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        // Dropping this payload may panic as well.
        std::mem::forget(payload);
    }
}
