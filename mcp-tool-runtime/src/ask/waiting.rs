//! What happens to a call while a user thinks: its timeout stops, and its permit goes back to the other calls.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::CallContext;
use crate::arguments;
use crate::call::permit::{self, Permit, Semaphore};

/// The pauses of one call.
#[derive(Default)]
pub(crate) struct Waiting(Mutex<State>);

#[derive(Default)]
struct State {
    /// The current pause, if the call is paused, with its start, if the clock is needed.
    pause: Option<Option<Instant>>,
    /// The total time of the pauses that have ended.
    paused: Duration,
    semaphore: Option<Arc<Semaphore>>,
    permit: Option<Arc<Permit>>,
}

impl Waiting {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Holds the call's permit until the returned value is dropped, or a pause releases it.
    fn hold(&self, semaphore: &Arc<Semaphore>, permit: Arc<Permit>) -> PausedPermit<'_> {
        let mut state = self.state();
        state.semaphore = Some(Arc::clone(semaphore));
        state.permit = Some(permit);
        PausedPermit(self)
    }

    /// Returns the total time of the pauses that have ended. It extends the timeout of the call, and is not part of its duration.
    pub(crate) fn paused(&self) -> Duration {
        self.state().paused
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.state().pause.is_some()
    }

    /// Runs `work` as a pause. Afterwards the call queues for a permit again.
    pub(super) async fn pause<T>(&self, cx: &CallContext, work: impl Future<Output = T>) -> T {
        let pausing = {
            let mut state = self.state();
            state.pause = Some(cx.deadline.map(|_| arguments::now()).or_else(|| cx.tool.format.settings.now()));
            state.permit = None;
            Pausing(self)
        };
        let done = work.await;
        drop(pausing);
        let semaphore = self.state().semaphore.clone();
        if let Some(semaphore) = semaphore {
            let permit = cx.call_state().set_permit(permit::acquire(&semaphore).await);
            self.state().permit = Some(permit);
        }
        done
    }
}

/// The current pause. It ends when this value is dropped, even if the whole call is dropped.
struct Pausing<'w>(&'w Waiting);

impl Drop for Pausing<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        if let Some(since) = state.pause.take().flatten() {
            state.paused += arguments::now().saturating_duration_since(since);
        }
    }
}

/// The permit of a call. Dropping it releases the permit.
#[expect(dead_code, reason = "the permits are only dropped")]
pub(crate) enum HeldPermit<'c> {
    UntilEnd(Arc<Permit>),
    UntilPause(PausedPermit<'c>),
}

impl<'c> HeldPermit<'c> {
    pub(crate) fn new(cx: &'c CallContext, semaphore: &Arc<Semaphore>, permit: Arc<Permit>) -> Self {
        match cx.waiting() {
            Some(waiting) => Self::UntilPause(waiting.hold(semaphore, permit)),
            None => Self::UntilEnd(permit),
        }
    }
}

/// The permit of a call that may pause. Dropping it releases the permit, if no pause has done so.
pub(crate) struct PausedPermit<'w>(&'w Waiting);

impl Drop for PausedPermit<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.semaphore = None;
        let permit = state.permit.take();
        drop(state);
        drop(permit);
    }
}
