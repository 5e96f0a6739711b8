//! What belongs to a call that runs as a task: its last progress report, and its end if it is stopped.

use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use super::TaskEnd;
use crate::Progress;
use crate::call::{ProgressSink, lock};

/// The last progress report of a call.
pub(crate) struct LastReport(pub(super) Mutex<Report>);

pub(super) struct Report {
    pub(super) message: Option<String>,
    pub(super) at: SystemTime,
    /// The sink that sends reports to the client, if the client asked for progress. It is removed before the client
    /// gets the task's id, because the client gets no reports after that.
    pub(super) client: Option<ProgressSink>,
}

impl LastReport {
    pub(crate) fn new(client: Option<ProgressSink>) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Report { message: None, at: SystemTime::UNIX_EPOCH, client })))
    }

    /// Returns the progress sink of the call. It keeps the last report that is not a heartbeat, and passes every report
    /// on to the client as long as the client gets reports.
    pub(crate) fn sink(self: &Arc<Self>) -> ProgressSink {
        let report = Arc::clone(self);
        Arc::new(move |progress| {
            let mut report = lock(&report.0);
            if !progress.is_heartbeat {
                report.message = Some(status_message(&progress));
                report.at = SystemTime::now();
            }
            // Report while holding the lock. The sink is removed under the same lock before the client gets the task's
            // id, so no report can follow the id.
            if let Some(client) = &report.client {
                client(progress);
            }
        })
    }
}

/// Returns the message of a report, or else its numbers as text.
pub(crate) fn status_message(progress: &Progress) -> String {
    let Progress { done, total, message, .. } = progress;
    message.clone().unwrap_or_else(|| match total {
        Some(total) => format!("{done} of {total}"),
        None => done.to_string(),
    })
}

/// How a call to a tool with `once` ends if it is stopped. If the tool has begun, the call ends with `unknown`, because
/// nobody knows what the tool has done.
pub(crate) struct IfStopped {
    /// Returns `true` once the tool has begun. It is a closure, because a dispatcher holds this struct: if the struct
    /// held the call's state itself, `clippy::significant_drop_tightening` would report every dispatcher.
    has_begun: Box<dyn Fn() -> bool + Send + Sync>,
    unknown: TaskEnd,
}

impl IfStopped {
    pub(crate) fn new(has_begun: impl Fn() -> bool + Send + Sync + 'static, unknown: TaskEnd) -> Self {
        Self { has_begun: Box::new(has_begun), unknown }
    }

    /// Returns how a call ends: with `unknown` if `if_stopped` is given, the tool has begun, and `end` is not a result.
    /// Otherwise, the call ends with `end`.
    pub(crate) fn apply(if_stopped: Option<Self>, end: TaskEnd) -> TaskEnd {
        match (&end, if_stopped) {
            (TaskEnd::Cancelled(_) | TaskEnd::Failed(_), Some(Self { has_begun, unknown })) if has_begun() => unknown,
            _ => end,
        }
    }
}
