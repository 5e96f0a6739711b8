//! What changes while a call runs: its progress, and whether it is still wanted.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::task::{Poll, Waker};

use super::turnstile::Place;

/// How far a call has come.
///
/// ```
/// use mcp_tool_runtime::{json, CallToolRequest};
///
/// let request = CallToolRequest::new("import", json!({})).with_progress(|progress| {
///     println!("{} of {:?}: {:?}", progress.done, progress.total, progress.message);
/// });
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How much is done; more with each report of one call.
    pub done: f64,
    /// How much there is in all, when that is known.
    pub total: Option<f64>,
    /// What is happening.
    pub message: Option<String>,
}

/// Takes the reports of one call.
pub(crate) type Sink = Arc<dyn Fn(Progress) + Send + Sync>;

const RUNNING: u8 = 0;
const ENDED: u8 = 1;
const CANCELLED: u8 = 2;

/// The changing part of a call, shared by all handles on it.
pub(crate) struct Live {
    stage: AtomicU8,
    waiting: Mutex<Vec<Waker>>,
    sink: Option<(Sink, Mutex<f64>)>,
    place: OnceLock<Weak<Place>>,
}

impl Live {
    pub(crate) fn new(sink: Option<Sink>) -> Self {
        let sink = sink.map(|sink| (sink, Mutex::new(f64::NEG_INFINITY)));
        Self { stage: AtomicU8::new(RUNNING), waiting: Mutex::default(), sink, place: OnceLock::new() }
    }

    /// Notes the call's place among those that run at once, for threads that outlive the call to hold on to.
    pub(crate) fn take_place(&self, place: Place) -> Arc<Place> {
        let place = Arc::new(place);
        let _ = self.place.set(Arc::downgrade(&place));
        place
    }

    /// The call's place, while it has one.
    #[cfg(feature = "tokio")]
    pub(crate) fn place(&self) -> Option<Arc<Place>> {
        self.place.get()?.upgrade()
    }

    pub(super) fn report(&self, progress: Progress) {
        let Some((sink, last)) = &self.sink else { return };
        // Held while the report is passed on, so that reports keep their order and none follows the end.
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let finite = progress.done.is_finite() && progress.total.is_none_or(f64::is_finite);
        if finite && progress.done > *last && self.stage.load(Ordering::Acquire) == RUNNING {
            *last = progress.done;
            sink(progress);
        }
    }

    /// Nothing is reported from now on; a report that is on its way is waited for.
    pub(crate) fn end(&self) {
        let last = self.sink.as_ref().map(|(_, last)| last.lock().unwrap_or_else(PoisonError::into_inner));
        self.leave(ENDED);
        drop(last);
    }

    /// Nobody waits for the result any more. Here nothing is waited for: a report may be on its way that itself waits for
    /// something of the tool's, and the tool is only about to be dropped.
    pub(crate) fn cancel(&self) {
        self.leave(CANCELLED);
        let waiting = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        waiting.into_iter().for_each(Waker::wake);
    }

    fn leave(&self, stage: u8) {
        let _ = self.stage.compare_exchange(RUNNING, stage, Ordering::AcqRel, Ordering::Acquire);
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.stage.load(Ordering::Acquire) == CANCELLED
    }

    pub(super) fn cancelled(&self) -> impl Future<Output = ()> {
        std::future::poll_fn(|cx| {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            if self.is_cancelled() {
                return Poll::Ready(());
            }
            if !waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
                waiting.push(cx.waker().clone());
            }
            Poll::Pending
        })
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("is_cancelled", &self.is_cancelled()).finish_non_exhaustive()
    }
}
