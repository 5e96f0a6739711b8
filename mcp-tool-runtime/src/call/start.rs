//! When the work of a call began.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A moment by the server's clock, in ns, once there is one. What waits for the work may be on another thread than the work.
pub(crate) struct Start(AtomicU64);

const NOT_YET: u64 = u64::MAX;

impl Start {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(NOT_YET))
    }

    pub(crate) fn set(&self, now: Duration) {
        // The last moment that can be said is in five hundred years.
        let now = u64::try_from(now.as_nanos()).unwrap_or(NOT_YET).min(NOT_YET - 1);
        self.0.store(now, Ordering::Release);
    }

    pub(crate) fn get(&self) -> Option<Duration> {
        let started = self.0.load(Ordering::Acquire);
        (started != NOT_YET).then(|| Duration::from_nanos(started))
    }
}
