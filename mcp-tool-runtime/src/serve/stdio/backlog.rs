//! Writes the messages to the client, and bounds the memory that a client can make the server use by sending calls that
//! hang, or by not reading the answers.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{Mutex, Notify, mpsc};

use crate::mcp::message::replace_line_breaks;

/// The limit in bytes for the requests of running calls and, counted separately, for the messages that the client has
/// not read.
const MAX_HELD_BYTES: usize = 16 << 20;

/// The maximum number of calls that run at once. Each counts as a thousandth of [`MAX_HELD_BYTES`], or as the size of
/// its request if that is larger.
const MAX_RUNNING_CALLS: usize = 1_000;

/// The number of bytes that may wait for the client before progress reports are dropped.
const MAX_BYTES_BEFORE_PROGRESS: usize = 64 << 10;

/// The memory in bytes that a message is assumed to take in addition to its length.
const OVERHEAD: usize = 128;

/// Counts the bytes of messages that the server holds: the requests of running calls, or the messages that the client
/// has not read.
#[derive(Debug, Clone, Default)]
pub(super) struct Backlog(Arc<Count>);

#[derive(Debug, Default)]
struct Count {
    bytes: AtomicUsize,
    /// Notified when the backlog stops being full, and when it becomes empty.
    freed: Notify,
    /// Held by the first of the callers that wait in [`Backlog::room_in_turn`].
    turn: Mutex<()>,
}

impl Backlog {
    fn bytes(&self) -> usize {
        self.0.bytes.load(Ordering::Acquire)
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes() >= MAX_HELD_BYTES
    }

    /// Waits until the backlog is not full.
    pub(super) async fn room(&self) {
        self.at_most(MAX_HELD_BYTES - 1).await;
    }

    /// Waits until the backlog is empty.
    pub(super) async fn empty(&self) {
        self.at_most(0).await;
    }

    /// Waits until at most this many bytes are held. `bytes` must be 0 or `MAX_HELD_BYTES - 1`, because `freed` is
    /// notified only at these values.
    async fn at_most(&self, bytes: usize) {
        while self.bytes() > bytes {
            let mut freed = pin!(self.0.freed.notified());
            freed.as_mut().enable();
            if self.bytes() > bytes {
                freed.await;
            }
        }
    }

    /// Like [`room`](Self::room), but lets waiting callers through one at a time, because each of them may fill the
    /// backlog again.
    pub(super) async fn room_in_turn(&self) {
        if self.is_full() {
            let _turn = self.0.turn.lock().await;
            self.room().await;
        }
    }

    /// Counts the bytes of a message until the returned value is dropped.
    pub(super) fn hold(&self, bytes: usize) -> Held {
        let bytes = bytes + OVERHEAD;
        self.0.bytes.fetch_add(bytes, Ordering::AcqRel);
        Held { backlog: self.clone(), bytes }
    }

    /// Counts a running call, whose request has this many bytes, until the returned value is dropped.
    pub(super) fn hold_call(&self, bytes: usize) -> Held {
        self.hold(bytes.max(MAX_HELD_BYTES.div_ceil(MAX_RUNNING_CALLS) - OVERHEAD))
    }
}

/// A message or a call that a backlog counts until this value is dropped.
#[derive(Debug)]
pub(super) struct Held {
    backlog: Backlog,
    bytes: usize,
}

impl Drop for Held {
    fn drop(&mut self) {
        let before = self.backlog.0.bytes.fetch_sub(self.bytes, Ordering::AcqRel);
        let left = before - self.bytes;
        if left == 0 || (before >= MAX_HELD_BYTES && left < MAX_HELD_BYTES) {
            self.backlog.0.freed.notify_waiters();
        }
    }
}

/// The messages that wait for the client. The queue itself needs no limit, because calls wait for room before they
/// begin.
#[derive(Debug, Clone)]
pub(super) struct Outbox {
    sender: mpsc::UnboundedSender<Option<Outgoing>>,
    pub(super) unread: Backlog,
}

/// A message for the client.
#[derive(Debug)]
pub(super) struct Outgoing {
    bytes: Vec<u8>,
    held: Held,
}

impl Outbox {
    /// Creates an outbox, and the queue of its messages. A `None` ends the queue.
    pub(super) fn new() -> (Self, mpsc::UnboundedReceiver<Option<Outgoing>>) {
        let (sender, messages) = mpsc::unbounded_channel();
        (Self { sender, unread: Backlog::default() }, messages)
    }

    /// Sends a message. If the queue has ended or the output has failed, the message is dropped.
    pub(super) fn send(&self, bytes: Vec<u8>) {
        let held = self.unread.hold(bytes.len());
        drop(self.sender.send(Some(Outgoing { bytes, held })));
    }

    /// Sends a progress report, unless too many bytes already wait for the client.
    pub(super) fn report(&self, bytes: Vec<u8>) {
        if self.unread.bytes() < MAX_BYTES_BEFORE_PROGRESS {
            self.send(bytes);
        }
    }

    /// Ends the queue after the messages that are already in it. Dropping the sender would not end it, because a tool
    /// may keep a clone of the sender for longer.
    pub(super) fn end(&self) {
        drop(self.sender.send(None));
    }
}

/// Writes the messages of the queue to the output, until the queue ends.
pub(super) async fn write(
    mut output: impl AsyncWrite + Unpin,
    mut messages: mpsc::UnboundedReceiver<Option<Outgoing>>,
) -> io::Result<()> {
    while let Some(Some(Outgoing { mut bytes, held })) = messages.recv().await {
        replace_line_breaks(&mut bytes);
        bytes.push(b'\n');
        output.write_all(&bytes).await?;
        drop(held);
        if messages.is_empty() {
            output.flush().await?;
        }
    }
    output.flush().await
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    #[test]
    fn a_backlog_is_full_at_its_limit_and_a_message_counts_more_than_its_bytes() {
        let backlog = Backlog::default();
        let most = backlog.hold(MAX_HELD_BYTES - 1 - 2 * OVERHEAD);
        assert!(!backlog.is_full());
        let one = backlog.hold(1);
        assert!(backlog.is_full());
        drop(one);
        assert!(!backlog.is_full());
        drop(most);
        assert_eq!(backlog.bytes(), 0);
    }

    #[test]
    fn a_backlog_is_full_with_a_thousand_calls_and_empty_without_any() {
        let backlog = Backlog::default();
        let mut calls: Vec<_> = (1..MAX_RUNNING_CALLS).map(|_| backlog.hold_call(100)).collect();
        assert!(!backlog.is_full());
        calls.push(backlog.hold_call(100));
        assert!(backlog.is_full());
        let mut cx = Context::from_waker(Waker::noop());
        let mut empty = pin!(backlog.empty());
        calls.truncate(1);
        assert!(empty.as_mut().poll(&mut cx).is_pending());
        drop(calls);
        assert!(empty.as_mut().poll(&mut cx).is_ready());
    }

    #[test]
    fn all_that_wait_for_room_in_a_full_backlog_are_woken_when_there_is_some() {
        let backlog = Backlog::default();
        let mut cx = Context::from_waker(Waker::noop());
        assert!(pin!(backlog.room()).poll(&mut cx).is_ready());
        let (all, more) = (backlog.hold(MAX_HELD_BYTES), backlog.hold(1));
        let (mut first, mut second) = (pin!(backlog.room()), pin!(backlog.room()));
        assert!(first.as_mut().poll(&mut cx).is_pending());
        assert!(second.as_mut().poll(&mut cx).is_pending());
        drop(more);
        assert!(first.as_mut().poll(&mut cx).is_pending(), "it is still full");
        drop(all);
        assert!(first.as_mut().poll(&mut cx).is_ready());
        assert!(second.as_mut().poll(&mut cx).is_ready());
    }
}
