//! The state of a running call: its progress, its cancellation, its permit, and what its nested calls need.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use super::permit::Permit;
use super::{CallId, CallToolRequest, CallToolResponse, Extensions, Progress, lock};
use crate::json::violation::truncate_text;
use crate::{BoxFuture, DispatchError, arguments};

/// A function that receives the progress reports of one call.
pub(crate) type ProgressSink = Arc<dyn Fn(Progress) + Send + Sync>;

/// The maximum length of a report's message in bytes. A longer message is truncated, because reports are kept in memory
/// until the client reads them.
const MAX_MESSAGE_BYTES: usize = 4_096;

const RUNNING: u8 = 0;
const ENDED: u8 = 1;
const CANCELLED: u8 = 2;

/// The state that all [`CallContext`](crate::CallContext)s of one call share.
pub(crate) struct CallState {
    stage: AtomicU8,
    /// The waker of each pending [`Wait`], with the `number` of that `Wait`.
    wakers: Mutex<Vec<(usize, Waker)>>,
    /// The `number` of the next [`Wait`].
    next_wait: AtomicUsize,
    /// The sink, and what was last reported to it. `None` if nobody receives the reports.
    progress: Option<(ProgressSink, Mutex<Reported>)>,
    permit: Mutex<Weak<Permit>>,
    /// `true` once the tool's own work has begun. This is when the arguments and the user's answers are known. For a
    /// tool with `task` and without questions, it is already `true` while the call waits for a permit.
    has_begun: AtomicBool,
    /// How long a task waited for its permit. The `OnceLock` is empty until the task has a permit. `None` if the call
    /// is not a task: then the wait counts towards the timeout.
    queued: Option<OnceLock<Duration>>,
    /// The id of the task that the call became.
    pub(crate) task_id: OnceLock<String>,
}

/// What the tool and the heartbeats of a call last reported.
struct Reported {
    /// The last value that the tool reported. A heartbeat may have sent a greater value since.
    by_tool: f64,
    /// The last value that was sent, by the tool or by a heartbeat.
    done: f64,
    total: Option<f64>,
    /// When the last value was sent, or when the call started to watch its reports. `None` if the call has no
    /// heartbeat.
    at: Option<Instant>,
}

impl Reported {
    const NOTHING: Self = Self { by_tool: f64::NEG_INFINITY, done: f64::NEG_INFINITY, total: None, at: None };

    /// Returns a value only slightly greater than the last one sent, so that the tool's next value is most likely
    /// greater still. This is the next thousandth, because clients show the value and it should have few digits. If the
    /// next thousandth would reach the total, or if the last value is too large for such a step, returns the next `f64`
    /// instead.
    fn next(&self, total: Option<f64>) -> f64 {
        let next = ((self.done * 1e3).round() + 1.0) / 1e3;
        let reaches = total.is_some_and(|total| self.done < total && total <= next);
        if next.is_finite() && next > self.done && !reaches { next } else { self.done.next_up() }
    }

    fn note(&mut self, sent: &Progress) {
        (self.done, self.total) = (sent.done, sent.total);
        self.at = self.at.map(|_| arguments::now());
    }
}

impl CallState {
    pub(crate) fn new(sink: Option<ProgressSink>) -> Self {
        let progress = sink.map(|sink| (sink, Mutex::new(Reported::NOTHING)));
        Self {
            stage: AtomicU8::new(RUNNING),
            wakers: Mutex::default(),
            next_wait: AtomicUsize::new(0),
            progress,
            permit: Mutex::default(),
            has_begun: AtomicBool::new(false),
            queued: None,
            task_id: OnceLock::new(),
        }
    }

    /// Creates the state of a task. No client has to wait for a task, so the timeout starts only when the task has a
    /// permit.
    #[cfg(feature = "tasks")]
    pub(crate) fn of_task(sink: ProgressSink) -> Self {
        Self { queued: Some(OnceLock::new()), ..Self::new(Some(sink)) }
    }

    pub(crate) fn sink(&self) -> Option<ProgressSink> {
        self.progress.as_ref().map(|(sink, _)| Arc::clone(sink))
    }

    pub(crate) fn begin(&self) {
        self.has_begun.store(true, Ordering::Release);
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Acquire)
    }

    /// Notes that a task no longer waits for a permit, and how long it has waited. Does nothing for a call that is not
    /// a task.
    pub(crate) fn leave_queue(&self, since: Instant) {
        if let Some(queued) = &self.queued {
            let _ = queued.set(arguments::now().saturating_duration_since(since));
        }
    }

    /// Returns how long a task waited for a permit. This time does not count towards the task's timeout. Returns `None`
    /// while the task is still waiting, and zero for a call that is not a task.
    pub(crate) fn queued(&self) -> Option<Duration> {
        self.queued.as_ref().map_or(Some(Duration::ZERO), |queued| queued.get().copied())
    }

    /// Keeps a weak reference to the call's permit, and returns the permit. Blocking functions and nested calls can
    /// outlive the call, so they get the permit through that reference, and hold the permit too. The reference is weak,
    /// so that a call that waits for its user can give its permit back.
    pub(crate) fn set_permit(&self, permit: Arc<Permit>) -> Arc<Permit> {
        *lock(&self.permit) = Arc::downgrade(&permit);
        permit
    }

    /// Returns the call's permit, if it has one.
    pub(crate) fn permit(&self) -> Option<Arc<Permit>> {
        lock(&self.permit).upgrade()
    }

    pub(super) fn report(&self, mut progress: Progress) {
        let Some((sink, last)) = &self.progress else { return };
        if let Some(message) = progress.message.as_mut().filter(|message| message.len() > MAX_MESSAGE_BYTES) {
            *message = truncate_text(message, MAX_MESSAGE_BYTES).into_owned();
        }
        // Hold the lock while the sink runs, so that reports keep their order, and no report comes after `end`.
        let mut last = lock(last);
        let finite = progress.done.is_finite() && progress.total.is_none_or(f64::is_finite);
        if finite && progress.done > last.by_tool && self.stage.load(Ordering::Acquire) == RUNNING {
            last.by_tool = progress.done;
            // A heartbeat may already have sent this value or a greater one.
            if progress.done <= last.done {
                progress.done = last.next(progress.total);
            }
            last.note(&progress);
            sink(progress);
        }
    }

    /// Starts to record when each report is sent.
    pub(crate) fn watch_reports(&self) {
        self.reported().into_iter().for_each(|mut last| _ = last.at.get_or_insert_with(arguments::now));
    }

    /// Returns the time of the last report. Before the first report, returns the time at which
    /// [`watch_reports`](Self::watch_reports) was called. If reports are not watched, returns the current time.
    pub(crate) fn last_report_at(&self) -> Instant {
        self.reported().and_then(|last| last.at).unwrap_or_else(arguments::now)
    }

    /// Sends a heartbeat: a report that the call is still running. Its value is slightly greater than the last one, or
    /// 0 if it is the first report. Does nothing if the call is no longer running, or if nobody receives its reports.
    pub(crate) fn beat(&self, message: String) {
        let (Some((sink, _)), Some(mut last)) = (&self.progress, self.reported()) else { return };
        let done = if last.done == f64::NEG_INFINITY { 0.0 } else { last.next(last.total) };
        // A heartbeat must not report that everything is done. If the tool has reported that, the heartbeat carries no
        // total.
        let total = last.total.filter(|total| done < *total);
        let progress = Progress { done, total, message: Some(message), is_heartbeat: true };
        (last.done, last.at) = (done, last.at.map(|_| arguments::now()));
        if self.stage.load(Ordering::Acquire) == RUNNING {
            sink(progress);
        }
    }

    fn reported(&self) -> Option<MutexGuard<'_, Reported>> {
        self.progress.as_ref().map(|(_, last)| lock(last))
    }

    /// Ends the call: no progress is reported from now on. Waits for a report that is being sent.
    pub(crate) fn end(&self) {
        let last = self.reported();
        self.leave_running(ENDED);
        drop(last);
        self.wake();
    }

    /// Cancels the call, and wakes the futures that wait for its cancellation or its end.
    ///
    /// Does not wait for a report that is being sent, because that could deadlock: the sink may wait for a value that
    /// the tool holds, and the caller drops the tool only after `cancel` returns.
    pub(crate) fn cancel(&self) {
        self.leave_running(CANCELLED);
        self.wake();
    }

    fn wake(&self) {
        let wakers = std::mem::take(&mut *lock(&self.wakers));
        for (_, waker) in wakers {
            waker.wake();
        }
    }

    fn leave_running(&self, stage: u8) {
        let _ = self.stage.compare_exchange(RUNNING, stage, Ordering::AcqRel, Ordering::Acquire);
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.stage.load(Ordering::Acquire) == CANCELLED
    }

    /// Waits until the call is cancelled.
    pub(crate) fn cancelled(&self) -> Wait<'_> {
        self.wait_for(|stage| stage == CANCELLED)
    }

    /// Waits until the call is answered or cancelled.
    #[cfg(feature = "tokio")]
    pub(crate) fn over(&self) -> Wait<'_> {
        self.wait_for(|stage| stage != RUNNING)
    }

    fn wait_for(&self, is_reached: fn(u8) -> bool) -> Wait<'_> {
        Wait { state: self, number: self.next_wait.fetch_add(1, Ordering::Relaxed), is_reached }
    }
}

/// A future that waits for a stage of a call. When it is dropped, it removes its waker, because a tool that waits in a
/// loop would otherwise leave many wakers behind.
pub(crate) struct Wait<'s> {
    state: &'s CallState,
    number: usize,
    is_reached: fn(u8) -> bool,
}

impl Future for Wait<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut wakers = lock(&self.state.wakers);
        if (self.is_reached)(self.state.stage.load(Ordering::Acquire)) {
            return Poll::Ready(());
        }
        match wakers.iter_mut().find(|(number, _)| *number == self.number) {
            Some((_, waker)) => waker.clone_from(cx.waker()),
            None => wakers.push((self.number, cx.waker().clone())),
        }
        Poll::Pending
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let mut wakers = lock(&self.state.wakers);
        if let Some(at) = wakers.iter().position(|(number, _)| *number == self.number) {
            wakers.swap_remove(at);
        }
    }
}

debug_struct!(CallState, state => is_cancelled: state.is_cancelled());

/// The maximum number of calls in a chain of nested calls, including the client's own call. This limit ends a cycle of
/// tools before the stack overflows.
pub(crate) const MAX_DEPTH: usize = 16;

/// What a call needs to know about the call that started it.
pub(crate) struct ParentCall {
    pub(crate) call_id: CallId,
    /// The number of calls in the chain up to this one: 1 for a call that a client made.
    pub(crate) depth: usize,
    pub(crate) state: Arc<CallState>,
    pub(crate) deadline: Option<Instant>,
    /// The extensions that the transport attached. The visibility rules read them to decide which tools this call can
    /// see.
    pub(crate) attached: Extensions,
}

debug_struct!(ParentCall, call => call_id: call.call_id, depth: call.depth);

/// Starts a call on behalf of another call. The dispatcher implements this trait, because this module does not import
/// the dispatcher.
pub(crate) trait StartCall: Send + Sync {
    fn start_call(
        self: Arc<Self>,
        parent: Arc<ParentCall>,
        request: CallToolRequest,
    ) -> BoxFuture<'static, Result<CallToolResponse, DispatchError>>;
}
