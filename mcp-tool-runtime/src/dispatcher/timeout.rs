//! Time-outs of calls (feature `tokio`).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use super::tool_entry::ToolEntry;
use crate::call::start_time::StartTime;
use crate::{CallContext, Output, ToolError};

/// Runs the work of a call for at most `limit`.
pub(super) async fn run(
    limit: Duration,
    entry: &ToolEntry,
    cx: &CallContext,
    work: impl Future<Output = Result<Output, ToolError>>,
    start_time: &StartTime,
) -> Result<Output, ToolError> {
    // `timeout` panics outside of a tokio runtime with a timer. That must not take the server down.
    let timed = catch_unwind(AssertUnwindSafe(|| tokio::time::timeout(limit, work)));
    let Ok(timed) = timed else {
        let text = "a time-out needs a tokio runtime with its timer enabled, and the call runs without one";
        return Err(ToolError::masked(text.to_owned()));
    };
    let Ok(result) = timed.await else {
        // Tasks that the tool has spawned keep running, and can ask whether the call was cancelled.
        cx.call_state().cancel();
        let text = format!("tool `{}` timed out after {}", entry.name(), written(limit));
        // A call that still waited for its turn has changed nothing.
        let can_retry = start_time.get().is_none() || entry.is_repeatable;
        return Err(ToolError::new(text).with_can_retry(can_retry));
    };
    result
}

/// Writes a timeout in the largest unit in which it is a whole number, as its author wrote it.
fn written(limit: Duration) -> String {
    let millis = limit.as_millis();
    let units = [(3_600_000, "h"), (60_000, "m"), (1_000, "s")];
    let whole = units.into_iter().find(|(unit, _)| millis >= *unit && millis.is_multiple_of(*unit));
    match whole {
        Some((unit, name)) => format!("{} {name}", millis / unit),
        None if millis == 0 => format!("{} µs", limit.as_micros()),
        None => format!("{millis} ms"),
    }
}
