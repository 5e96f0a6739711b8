//! Bounds the memory that a client can make the server use: it may send requests and not read the answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

/// While this many calls run, the server stops reading.
pub(super) const MAX_RUNNING_CALLS: usize = 1_000;

/// While the requests of running calls and the answers that are not written have this many bytes, the server stops reading.
const MAX_HELD_BYTES: usize = 16 << 20;

/// Counts the bytes of the messages that the server holds.
#[derive(Debug, Clone, Default)]
pub(super) struct Backlog(Arc<Count>);

#[derive(Debug, Default)]
struct Count {
    bytes: AtomicUsize,
    /// Notified when bytes are freed.
    freed: Notify,
}

impl Backlog {
    pub(super) fn is_full(&self) -> bool {
        self.0.bytes.load(Ordering::Acquire) >= MAX_HELD_BYTES
    }

    /// Returns `true` if a call may not wait for its user: calls that wait must leave room for the answers to be read.
    pub(super) fn is_half_full(&self) -> bool {
        self.0.bytes.load(Ordering::Acquire) >= MAX_HELD_BYTES / 2
    }

    /// Waits until bytes are freed. Only one task may wait.
    pub(super) async fn freed(&self) {
        self.0.freed.notified().await;
    }

    /// Counts the bytes of a message until the returned value is dropped.
    pub(super) fn hold(&self, bytes: usize) -> Held {
        self.0.bytes.fetch_add(bytes, Ordering::AcqRel);
        Held { backlog: self.clone(), bytes }
    }
}

/// A message that is counted.
#[derive(Debug)]
pub(super) struct Held {
    backlog: Backlog,
    bytes: usize,
}

impl Drop for Held {
    fn drop(&mut self) {
        let before = self.backlog.0.bytes.fetch_sub(self.bytes, Ordering::AcqRel);
        if before >= MAX_HELD_BYTES {
            self.backlog.0.freed.notify_one();
        }
    }
}

/// A message for the client.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) bytes: Vec<u8>,
    /// A progress report is not counted: the queue has room for only a few.
    pub(super) held: Option<Held>,
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    #[test]
    fn a_backlog_is_full_at_its_limit_and_half_full_at_half_of_it() {
        let backlog = Backlog::default();
        let half = backlog.hold(MAX_HELD_BYTES / 2 - 1);
        assert!(!backlog.is_half_full());
        let one = backlog.hold(1);
        assert!(backlog.is_half_full());
        let rest = backlog.hold(MAX_HELD_BYTES / 2 - 1);
        assert!(!backlog.is_full());
        let last = backlog.hold(1);
        assert!(backlog.is_full());
        drop(one);
        assert!(!backlog.is_full());
        drop((half, rest, last));
        assert!(!backlog.is_half_full());
    }

    #[test]
    fn who_waits_for_room_in_a_full_backlog_is_woken_when_bytes_are_freed() {
        let backlog = Backlog::default();
        let mut cx = Context::from_waker(Waker::noop());
        let (all, more) = (backlog.hold(MAX_HELD_BYTES - 1), backlog.hold(1));
        let mut freed = pin!(backlog.freed());
        assert!(freed.as_mut().poll(&mut cx).is_pending());
        drop(more);
        assert!(freed.as_mut().poll(&mut cx).is_ready());
        // There was room before.
        let mut freed = pin!(backlog.freed());
        drop(all);
        assert!(freed.as_mut().poll(&mut cx).is_pending());
    }
}
