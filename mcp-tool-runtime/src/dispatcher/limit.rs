//! The time that a call has.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use super::entry::Entry;
use crate::call::start::Start;
use crate::{CallContext, Output, ToolError};

/// The work, for as long as the tool has time.
pub(super) async fn within(
    limit: Duration,
    entry: &Entry,
    cx: &CallContext,
    work: impl Future<Output = Result<Output, ToolError>>,
    started: &Start,
) -> Result<Output, ToolError> {
    // Without a runtime that keeps time there is a panic here, which is no reason to take the server down.
    let timed = catch_unwind(AssertUnwindSafe(|| tokio::time::timeout(limit, work)));
    let Ok(timed) = timed else {
        let text = "a time-out needs a tokio runtime with its time enabled, and the call runs on none";
        return Err(ToolError::masked(text.to_owned()));
    };
    let Ok(outcome) = timed.await else {
        // What the tool started elsewhere goes on, and must learn of it.
        cx.live().cancel();
        let text = format!("tool `{}` timed out after {}", entry.name(), in_words(limit));
        // A call that never ran can be made again.
        let can_retry = started.get().is_none() || entry.repeatable;
        return Err(ToolError::new(text).with_can_retry(can_retry));
    };
    outcome
}

/// A limit as its author writes it: in the largest unit that it is whole in.
fn in_words(limit: Duration) -> String {
    let millis = limit.as_millis();
    let units = [(3_600_000, "h"), (60_000, "m"), (1_000, "s")];
    let whole = units.into_iter().find(|(unit, _)| millis >= *unit && millis.is_multiple_of(*unit));
    match whole {
        Some((unit, name)) => format!("{} {name}", millis / unit),
        None if millis == 0 => format!("{} µs", limit.as_micros()),
        None => format!("{millis} ms"),
    }
}
