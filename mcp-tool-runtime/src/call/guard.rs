//! A future that turns a panic into an error.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::{BoxFuture, ToolError};

/// Polls a tool and catches its panics. The tool is dropped with the guard, so nothing half-done is seen again.
pub(crate) struct Guard<'a, T>(Option<BoxFuture<'a, Result<T, ToolError>>>);

impl<T> Future for Guard<'_, T> {
    type Output = Result<T, ToolError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(tool) = &mut self.0 else { return Poll::Pending };
        match catch_unwind(AssertUnwindSafe(|| tool.as_mut().poll(cx))) {
            Ok(poll) => poll,
            Err(payload) => Poll::Ready(Err(panicked(payload))),
        }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        discard(self.0.take());
    }
}

/// Runs what makes a tool's future; a panic there is a panic of the tool.
pub(crate) fn start<'a, T>(
    make: impl FnOnce() -> BoxFuture<'a, Result<T, ToolError>>,
) -> Result<Guard<'a, T>, ToolError> {
    match catch_unwind(AssertUnwindSafe(make)) {
        Ok(future) => Ok(Guard(Some(future))),
        Err(payload) => Err(panicked(payload)),
    }
}

/// Runs code of a type of the user's for what it says, which is nothing if it panics.
pub(crate) fn heard<T>(ask: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(ask)).map_err(discard).ok()
}

fn panicked(payload: Box<dyn Any + Send>) -> ToolError {
    let words = payload.downcast_ref::<&str>().copied();
    let words = words.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let error = ToolError::masked(format!("panicked: {}", words.unwrap_or("with a value that is not text")));
    discard(payload);
    error
}

/// Drops what is the tool's. Its outcome is known by then, and a panic in a `Drop` does not change it.
fn discard<T>(value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        // To drop this one may panic as well.
        std::mem::forget(payload);
    }
}
