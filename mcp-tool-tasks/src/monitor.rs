//! The connection between a running task and the database.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mcp_tool_runtime::BoxFuture;
use mcp_tool_runtime::tasks::TaskMonitor;
use tokio::sync::watch;

#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(crate) enum Signal {
    Run,
    /// The client has asked to cancel the task.
    Cancel,
    /// The task has ended elsewhere, or another worker is running it.
    Stop,
}

/// Passes signals to a running task, and keeps its progress message for the database.
pub(crate) struct Monitor {
    signal: watch::Sender<Signal>,
    /// The last message, if it has not been stored yet.
    message: Mutex<Option<String>>,
}

impl Monitor {
    pub(crate) fn new() -> Self {
        Self { signal: watch::Sender::new(Signal::Run), message: Mutex::default() }
    }

    pub(crate) fn signal(&self, signal: Signal) {
        self.signal.send_if_modified(|current| {
            let later = signal > *current;
            if later {
                *current = signal;
            }
            later
        });
    }

    pub(crate) async fn signalled(&self, signal: Signal) {
        let _ = self.signal.subscribe().wait_for(|current| *current == signal).await;
    }

    pub(crate) fn message(&self) -> MutexGuard<'_, Option<String>> {
        self.message.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TaskMonitor for Monitor {
    fn progress(&self, message: String) {
        // Postgres cannot store NUL in text.
        *self.message() = Some(message.replace('\0', "\u{fffd}"));
    }

    /// Completes only if the client has cancelled the task. If the run must stop for another reason, the worker drops
    /// the run.
    fn cancelled(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.signalled(Signal::Cancel))
    }
}
