//! The time at which the tool of a call started to run.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A reading of the dispatcher's clock, once the tool has started. It is atomic because a timeout reads it while the
/// call, perhaps on another thread, sets it.
pub(crate) struct StartTime(AtomicU64);

/// The value in nanoseconds that means "not started".
const NOT_STARTED: u64 = u64::MAX;

impl StartTime {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(NOT_STARTED))
    }

    pub(crate) fn set(&self, now: Duration) {
        // 64 bits of nanoseconds are 584 years; a later time is cut to that.
        let now = u64::try_from(now.as_nanos()).unwrap_or(NOT_STARTED).min(NOT_STARTED - 1);
        self.0.store(now, Ordering::Release);
    }

    pub(crate) fn get(&self) -> Option<Duration> {
        let start = self.0.load(Ordering::Acquire);
        (start != NOT_STARTED).then(|| Duration::from_nanos(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_beyond_what_64_bits_hold_is_still_a_start() {
        let start = StartTime::new();
        assert_eq!(start.get(), None);
        start.set(Duration::from_nanos(5));
        assert_eq!(start.get(), Some(Duration::from_nanos(5)));
        start.set(Duration::MAX);
        assert_eq!(start.get(), Some(Duration::from_nanos(u64::MAX - 1)));
    }
}
