//! Timeouts of calls (feature `tokio`).

use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, Sleep};

use super::tool_entry::ToolEntry;
use crate::call::{ParentCall, catch_panic::sleep};
use crate::output::error_kind::ToolErrorKind;
use crate::{CallContext, Output, ToolError, log};

/// How long a call may take.
pub(super) struct Limit {
    duration: Duration,
    /// The parent call, if its time runs out first. The parent's timeout then decides how both calls end.
    parent: Option<Arc<ParentCall>>,
}

impl Limit {
    /// Returns the timeout of the tool, or what is left of the timeout of the parent call, whichever is shorter.
    #[inline]
    pub(super) fn of(entry: &ToolEntry, cx: &CallContext) -> Option<Self> {
        let timeout = entry.metadata.timeout;
        let own = timeout.map(|duration| Self { duration, parent: None });
        let Some(parent) = &cx.parent else { return own };
        let Some(deadline) = parent.deadline else { return own };
        let left = Instant::from_std(deadline).saturating_duration_since(Instant::now());
        if timeout.is_some_and(|timeout| timeout < left) {
            return own;
        }
        Some(Self { duration: left, parent: Some(Arc::clone(parent)) })
    }
}

/// Runs the work of a call for at most `limit`. For each tool, only the first call that blocks its thread beyond the
/// limit is logged.
pub(super) async fn run(
    limit: Option<Limit>,
    entry: &ToolEntry,
    is_repeatable: impl Fn() -> bool,
    cx: &CallContext,
    work: impl Future<Output = Result<Output, ToolError>>,
    started: &OnceLock<Option<std::time::Instant>>,
) -> Result<Output, ToolError> {
    let Some(limit) = limit else { return work.await };
    let tool = entry.name();
    // This `sleep` returns `None` if there is no tokio runtime with a timer. Tokio's own `sleep` would panic.
    let Some(timer) = sleep(limit.duration) else {
        let text = "a time-out needs a tokio runtime with its timer enabled, and the call runs without one";
        return Err(ToolError::masked(text.to_owned()));
    };
    // The call's state notes when the last question is answered, so the state must exist before the tool asks.
    let asking = entry.questions.as_ref().map(|_| cx.call_state());
    let blocked = |time| entry.blocked.call_once(|| log::thread_blocked(tool, time));
    let result = in_time(limit.duration, timer, cx, work, blocked).await;
    // The check of the arguments never yields, so the timer cannot fire during it. If the check takes too long, it
    // fails with `Late`.
    let is_late =
        result.as_ref().is_some_and(|result| result.as_ref().is_err_and(|error| error.kind() == ToolErrorKind::Late));
    let Some(result) = result.filter(|_| !is_late) else {
        if let Some(parent) = &limit.parent {
            // Wait until the parent's timer fires too and drops this call, so that the parent does not see the error
            // below. A call in a spawned task is not dropped: it continues when the parent has ended.
            parent.state.over().await;
        }
        // Tasks that the tool has spawned keep running. They can ask whether the call was cancelled, so mark it as
        // cancelled.
        cx.call_state().cancel();
        let text = match limit.parent {
            None => format!("tool `{tool}` timed out after {}", written(limit.duration)),
            Some(_) => format!("tool `{tool}` timed out with the call that started it"),
        };
        // If the call was still waiting for a permit, checking its arguments or asking the user, its tool has not run.
        let has_begun = started.get().is_some() && asking.is_none_or(|state| state.has_begun());
        let can_retry = is_late || !has_begun || is_repeatable();
        return Err(ToolError::new(text).with_kind(ToolErrorKind::TimedOut).with_can_retry(can_retry));
    };
    result
}

/// A poll that takes at least this long, and ends after the time is up, counts as blocking its thread. A shorter poll
/// may have begun just before the time was up.
const BLOCKED: Duration = Duration::from_millis(50);

/// Runs the work of a call for at most `limit`, not counting the call's pauses. Returns `None` once the time is up.
/// Calls `blocked` if the work blocked the thread when the time was up, because no timer could fire then.
async fn in_time<T>(
    limit: Duration,
    timer: Sleep,
    call: &CallContext,
    work: impl Future<Output = T>,
    blocked: impl Fn(Duration),
) -> Option<T> {
    // To notice a blocked thread, measure real time as well: a test may have paused tokio's clock.
    let (start, real_start) = (Instant::now(), std::time::Instant::now());
    let (mut work, mut timer) = (pin!(work), pin!(timer));
    std::future::poll_fn(|cx| {
        let before = real_start.elapsed();
        let polled = work.as_mut().poll(cx);
        let after = real_start.elapsed();
        let paused = call.paused();
        let end = limit.saturating_add(paused);
        let took = after.saturating_sub(before);
        if before < end && end < after && took >= BLOCKED {
            blocked(took);
        }
        if let Poll::Ready(done) = polled {
            return Poll::Ready(Some(done));
        }
        if call.is_paused() {
            // The timer is not needed now: `work` is woken when the pause ends.
            return Poll::Pending;
        }
        if !paused.is_zero()
            && let Some(deadline) = start.checked_add(end)
            && deadline != timer.deadline()
        {
            timer.as_mut().reset(deadline);
        }
        // If the work has used up tokio's budget for this task, the timer would not fire although it is due. So poll it
        // outside the budget.
        pin!(tokio::task::unconstrained(timer.as_mut())).poll(cx).map(|()| None)
    })
    .await
}

/// Writes a timeout in the largest unit in which it is a whole number, as its author probably wrote it. Less than a
/// millisecond is written in microseconds.
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
