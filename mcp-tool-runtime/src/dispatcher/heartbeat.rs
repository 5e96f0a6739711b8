//! Reports progress while a tool itself reports none (feature `tokio`), because clients restart their timers only on
//! progress.

use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::time::Instant;

use super::{DispatcherBuilder, ToolEntry};
use crate::CallContext;
use crate::call::{CallState, catch_panic::sleep};

impl DispatcherBuilder {
    /// Reports that a call is still running whenever its tool has reported nothing for this long (feature `tokio`). By
    /// default, only tools report progress. A tool's own `heartbeat` replaces this one.
    ///
    /// Many clients have a timeout that restarts with each progress report. Only clients that asked for
    /// progress get this report, which says `still running, 30 s`. It is also sent while the call waits because of
    /// [`max_concurrency`](Self::max_concurrency).
    ///
    /// ```
    /// use std::time::Duration;
    /// use mcp_tool_runtime::Dispatcher;
    ///
    /// let dispatcher = Dispatcher::builder().heartbeat(Duration::from_secs(15)).build()?;
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn heartbeat(mut self, every: Duration) -> Self {
        if every.is_zero() {
            self.errors.push("`heartbeat` of zero would never pause; write a longer time".to_owned());
        }
        self.setting("heartbeat").heartbeat = Some(every);
        self
    }
}

/// The heartbeat of one call.
pub(super) struct Heartbeat {
    every: Duration,
    started: Instant,
    state: Arc<CallState>,
}

impl Heartbeat {
    /// Returns the heartbeat of a call, if its tool has one and its client asked for progress.
    #[inline]
    pub(super) fn of(entry: &ToolEntry, cx: &CallContext) -> Option<Self> {
        let every = entry.metadata.heartbeat?;
        let state = cx.state.get().filter(|state| state.sink().is_some())?;
        Some(Self { every, started: Instant::now(), state: Arc::clone(state) })
    }
}

/// Runs `work`, and meanwhile sends the reports of the heartbeat, if there is one.
pub(super) async fn during<T>(heartbeat: Option<Heartbeat>, work: impl Future<Output = T>) -> T {
    let Some(Heartbeat { every, started, state }) = heartbeat else { return work.await };
    // Without a tokio runtime that has a timer, report nothing.
    let Some(timer) = sleep(every) else { return work.await };
    state.watch_reports();
    let (mut work, mut timer) = (pin!(work), pin!(timer));
    std::future::poll_fn(|cx| {
        if let Poll::Ready(done) = work.as_mut().poll(cx) {
            return Poll::Ready(done);
        }
        loop {
            let due = Instant::from_std(state.last_report_at()) + every;
            if timer.deadline() != due {
                timer.as_mut().reset(due);
            }
            // If the work has used up tokio's budget for this task, the timer would not fire although it is due. So
            // poll it outside the budget.
            if pin!(tokio::task::unconstrained(timer.as_mut())).poll(cx).is_pending() {
                return Poll::Pending;
            }
            state.beat(format!("still running, {} s", started.elapsed().as_secs()));
        }
    })
    .await
}
