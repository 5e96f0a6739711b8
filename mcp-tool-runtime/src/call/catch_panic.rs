//! Catches panics in tools, in functions that an author has set, and in tokio when it creates a timer.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::output::error_kind::ToolErrorKind;
use crate::{BoxFuture, ToolError};

/// A future that runs a tool's future and turns its panics into errors.
pub(crate) struct CatchPanic<'a, T> {
    tool: BoxFuture<'a, Result<T, ToolError>>,
    yields: bool,
}

impl<'a, T> CatchPanic<'a, T> {
    /// Calls `make` to create the tool's future. Returns an error if `make` panics.
    pub(crate) fn new(make: impl FnOnce() -> BoxFuture<'a, Result<T, ToolError>>) -> Result<Self, ToolError> {
        match catch_unwind(AssertUnwindSafe(make)) {
            Ok(tool) => Ok(Self { tool, yields: false }),
            Err(payload) => Err(panicked(&*payload)),
        }
    }

    /// Makes this future yield once before the tool starts, so that other tasks on the thread can run. This works on
    /// every executor.
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
        match catch_unwind(AssertUnwindSafe(|| self.tool.as_mut().poll(cx))) {
            Ok(poll) => poll,
            Err(payload) => Poll::Ready(Err(panicked(&*payload))),
        }
    }
}

/// Lets other tasks on the thread run. This works on every executor.
pub(crate) async fn yield_now() {
    let mut yields = true;
    std::future::poll_fn(|cx| {
        if std::mem::take(&mut yields) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    })
    .await;
}

fn panicked(payload: &(dyn Any + Send)) -> ToolError {
    let message = payload.downcast_ref::<&str>().copied();
    let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let text = format!("panicked: {}", message.unwrap_or("with a value that is not text"));
    ToolError::masked(text).with_kind(ToolErrorKind::Panicked)
}

/// Calls a function, usually one that the author has set. Returns `None` if the function panics.
pub(crate) fn catch<T>(function: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(function)).ok()
}

/// Creates a timer. Returns `None` if there is no tokio runtime with timers, because tokio then panics.
#[cfg(feature = "tokio")]
pub(crate) fn sleep(time: std::time::Duration) -> Option<tokio::time::Sleep> {
    catch(|| tokio::time::sleep(time))
}
