//! Sends the progress reports of a call through the SDK.
//!
//! A tool can send messages of its own through the SDK's peer. A report enters the queue of the peer as soon as the tool makes
//! it, so it stays before a message that the tool sends next. There is one exception: while the transport still writes an
//! earlier report, a report waits. The SDK writes each message in its own task, so two reports in its queue could change
//! places, and a value that does not increase breaks the protocol.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use ::rmcp::model::{ProgressNotificationParam, ProgressToken};
use ::rmcp::{Peer, RoleServer};
use tokio::sync::Notify;

use crate::{BoxFuture, Progress};

/// How long a call waits for the transport. After the end of the input, the SDK still takes reports, but never writes them and
/// never says so. Then it waits five seconds for the responses of running calls, and drops the rest.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// The number of reports that wait for the transport. A newer one replaces the last.
const MAX_WAITING: usize = 64;

/// The reports of one call.
pub(super) struct Reports {
    peer: Peer<RoleServer>,
    token: ProgressToken,
    queue: Mutex<Queue>,
    has_report: Notify,
}

/// The transport writes the first. The others are not started, so they are not in the queue of the peer.
type Queue = VecDeque<BoxFuture<'static, ()>>;

impl Reports {
    pub(super) fn new(peer: Peer<RoleServer>, token: ProgressToken) -> Self {
        Self { peer, token, queue: Mutex::default(), has_report: Notify::new() }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a report, at once if no other is being written.
    pub(super) fn report(&self, progress: Progress) {
        let mut sending = self.send(progress);
        let mut queue = self.queue();
        // The first poll puts the message into the queue of the peer.
        let is_sent = queue.is_empty() && sending.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready();
        if !is_sent {
            queue.truncate(MAX_WAITING);
            queue.push_back(sending);
        }
        drop(queue);
        self.has_report.notify_one();
    }

    fn send(&self, progress: Progress) -> BoxFuture<'static, ()> {
        let mut param = ProgressNotificationParam::new(self.token.clone(), progress.done);
        param.total = progress.total;
        param.message = progress.message;
        let peer = self.peer.clone();
        // Fails only if the connection is closed.
        Box::pin(async move { drop(peer.notify_progress(param).await) })
    }

    /// Waits for the next report.
    pub(super) async fn reported(&self) {
        self.has_report.notified().await;
    }

    /// Waits until all reports are written, but not longer than [`MAX_WAIT`]. Returns `false` if the transport takes longer.
    pub(super) async fn flush_in_time(&self) -> bool {
        // Without a report, no timer is needed.
        if self.queue().is_empty() {
            return true;
        }
        tokio::time::timeout(MAX_WAIT, self.flush()).await.is_ok()
    }

    /// Waits until all reports are written.
    pub(super) async fn flush(&self) {
        std::future::poll_fn(|cx| {
            let mut queue = self.queue();
            while let Some(sending) = queue.front_mut() {
                std::task::ready!(sending.as_mut().poll(cx));
                queue.pop_front();
            }
            Poll::Ready(())
        })
        .await;
    }
}
