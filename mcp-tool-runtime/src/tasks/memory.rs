//! The tasks of one process.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::json;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::{Snapshot, TaskEnd, Tasks};
use crate::Progress;
use crate::call::ProgressSink;

/// Keeps tasks until some time after their end. An ended task is dropped when something else is asked of the tasks: there is no timer.
pub(crate) struct MemoryTasks {
    state: Mutex<State>,
    /// Notified when no task runs.
    idle: Notify,
    keep_for: Duration,
    poll_every: Duration,
    max_tasks: usize,
    max_tasks_per_principal: usize,
}

#[derive(Default)]
struct State {
    tasks: HashMap<Arc<str>, Task>,
    /// The ended tasks in the order of their end, with the time at which each is dropped.
    ended: VecDeque<(Instant, Arc<str>)>,
    /// The calls that may still become tasks.
    reserved: usize,
    running: usize,
    /// The tasks and reservations of each principal.
    of_principal: HashMap<Arc<str>, usize>,
}

struct Task {
    principal: Option<Arc<str>>,
    created_at: SystemTime,
    report: Arc<LastReport>,
    stage: Stage,
}

enum Stage {
    Running(Option<AbortHandle>),
    Ended { end: Arc<TaskEnd>, at: SystemTime, dropped_at: Option<Instant> },
}

/// The last progress report of a call.
pub(crate) struct LastReport(Mutex<Report>);

struct Report {
    message: Option<String>,
    at: SystemTime,
    /// The client that asked for progress. It gets none after it has the id of the task.
    client: Option<ProgressSink>,
}

impl LastReport {
    pub(crate) fn new(client: Option<ProgressSink>) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Report { message: None, at: SystemTime::UNIX_EPOCH, client })))
    }

    /// Returns the sink of the call.
    pub(crate) fn sink(self: &Arc<Self>) -> ProgressSink {
        let report = Arc::clone(self);
        Arc::new(move |progress| {
            let mut report = report.lock();
            if !progress.is_heartbeat {
                report.message = Some(status_message(&progress));
                report.at = SystemTime::now();
            }
            // The lock is held, so that no report follows the id of the task.
            if let Some(client) = &report.client {
                client(progress);
            }
        })
    }

    fn lock(&self) -> MutexGuard<'_, Report> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the text of a report.
pub(crate) fn status_message(progress: &Progress) -> String {
    let Progress { done, total, message, .. } = progress;
    message.clone().unwrap_or_else(|| match total {
        Some(total) => format!("{done} of {total}"),
        None => done.to_string(),
    })
}

/// A call that may become a task. It counts as one until it is dropped.
pub(crate) struct Reservation {
    memory: Arc<MemoryTasks>,
    principal: Option<Arc<str>>,
    is_task: bool,
}

impl MemoryTasks {
    pub(crate) fn new(tasks: &Tasks) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::default(),
            idle: Notify::new(),
            keep_for: tasks.keep_for,
            poll_every: tasks.poll_every,
            max_tasks: tasks.max_tasks.unwrap_or(usize::MAX),
            max_tasks_per_principal: tasks.max_tasks_per_principal.unwrap_or(usize::MAX),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves a place for a call.
    ///
    /// # Errors
    ///
    /// If there are too many tasks: the time after which there may be a place.
    pub(crate) fn reserve(self: &Arc<Self>, principal: Option<&str>) -> Result<Reservation, Duration> {
        let mut state = self.lock();
        state.drop_expired();
        if state.tasks.len() + state.reserved >= self.max_tasks {
            return Err(state.wait(None).unwrap_or(self.poll_every));
        }
        let principal = principal.map(|principal| match state.of_principal.get_key_value(principal) {
            Some((known, _)) => Arc::clone(known),
            None => principal.into(),
        });
        if let Some(principal) = &principal {
            let tasks = state.of_principal.get(principal).copied().unwrap_or_default();
            if tasks >= self.max_tasks_per_principal {
                return Err(state.wait(Some(principal)).unwrap_or(self.poll_every));
            }
            state.of_principal.insert(Arc::clone(principal), tasks + 1);
        }
        state.reserved += 1;
        Ok(Reservation { memory: Arc::clone(self), principal, is_task: false })
    }

    /// Returns a task of this principal.
    pub(crate) fn get(&self, id: &str, principal: Option<&str>) -> Option<Snapshot> {
        let mut state = self.lock();
        state.drop_expired();
        let task = state.tasks.get(id).filter(|task| task.principal.as_deref() == principal)?;
        let (updated_at, message, end) = match &task.stage {
            Stage::Running(_) => {
                let report = task.report.lock();
                (report.at.max(task.created_at), report.message.clone(), None)
            }
            Stage::Ended { end, at, .. } => (*at, None, Some(Arc::clone(end))),
        };
        let (keep_for, poll_every) = (self.keep_for, self.poll_every);
        Some(Snapshot {
            id: id.to_owned(),
            created_at: task.created_at,
            updated_at,
            keep_for,
            poll_every,
            message,
            end,
        })
    }

    /// Cancels a task of this principal. Returns `false` if there is none.
    pub(crate) fn cancel(&self, id: &str, principal: Option<&str>) -> bool {
        let mut state = self.lock();
        state.drop_expired();
        let is_known = state.tasks.get(id).is_some_and(|task| task.principal.as_deref() == principal);
        drop(state);
        if is_known {
            self.end(id, TaskEnd::Cancelled(None));
        }
        is_known
    }

    /// Ends a task, unless it has ended. A tool that still runs is dropped.
    pub(crate) fn end(&self, id: &str, end: TaskEnd) {
        let mut state = self.lock();
        let Some((id, _)) = state.tasks.get_key_value(id) else { return };
        let (id, dropped_at) = (Arc::clone(id), Instant::now().checked_add(self.keep_for));
        let Some(task) = state.tasks.get_mut(&*id) else { return };
        let Stage::Running(abort) = &mut task.stage else { return };
        let abort = abort.take();
        task.stage = Stage::Ended { end: Arc::new(end), at: SystemTime::now(), dropped_at };
        state.ended.extend(dropped_at.map(|at| (at, id)));
        state.running -= 1;
        if state.running == 0 {
            self.idle.notify_waiters();
        }
        drop(state);
        // The tool's own code may run now.
        if let Some(abort) = abort {
            abort.abort();
        }
    }

    /// Waits for the running tasks, at most for this time. Those that still run are then cancelled.
    pub(crate) async fn finish(&self, at_most: Duration, message: &str) {
        let ended = async {
            loop {
                let idle = self.idle.notified();
                if self.lock().running == 0 {
                    return;
                }
                idle.await;
            }
        };
        if tokio::time::timeout(at_most, ended).await.is_ok() {
            return;
        }
        let running = |(id, task): (&Arc<str>, &Task)| matches!(task.stage, Stage::Running(_)).then(|| Arc::clone(id));
        let running: Vec<_> = self.lock().tasks.iter().filter_map(running).collect();
        for id in running {
            self.end(&id, TaskEnd::Cancelled(Some(message.to_owned())));
        }
    }
}

impl State {
    fn drop_expired(&mut self) {
        let Some((first, _)) = self.ended.front() else { return };
        let now = Instant::now();
        if *first > now {
            return;
        }
        while let Some((_, id)) = self.ended.front().filter(|(at, _)| *at <= now) {
            let id = Arc::clone(id);
            self.ended.pop_front();
            if let Some(task) = self.tasks.remove(&id) {
                self.release(task.principal);
            }
        }
    }

    fn release(&mut self, principal: Option<Arc<str>>) {
        let Some(principal) = principal else { return };
        if let Some(tasks) = self.of_principal.get_mut(&principal) {
            *tasks -= 1;
            if *tasks == 0 {
                self.of_principal.remove(&principal);
            }
        }
    }

    /// Returns the time until a task is dropped, of one principal or of all.
    fn wait(&self, principal: Option<&Arc<str>>) -> Option<Duration> {
        let tasks = self.tasks.values().filter(|task| principal.is_none() || task.principal.as_ref() == principal);
        let dropped = tasks.filter_map(|task| match task.stage {
            Stage::Ended { dropped_at, .. } => dropped_at,
            Stage::Running(_) => None,
        });
        Some(dropped.min()?.saturating_duration_since(Instant::now()))
    }
}

impl Reservation {
    /// Makes the call a task. `spawn` starts it, and gets what ends it.
    pub(crate) fn start(mut self, id: &str, report: Arc<LastReport>, spawn: impl FnOnce(Unfinished) -> AbortHandle) {
        self.is_task = true;
        let (memory, id) = (Arc::clone(&self.memory), Arc::<str>::from(id));
        let (principal, created_at) = (self.principal.take(), SystemTime::now());
        report.lock().client = None;
        {
            let mut state = memory.lock();
            state.reserved -= 1;
            state.running += 1;
            let task = Task { principal, created_at, report, stage: Stage::Running(None) };
            state.tasks.insert(Arc::clone(&id), task);
        }
        let unfinished = Unfinished { memory: Arc::clone(&memory), id: Arc::clone(&id) };
        let abort = spawn(unfinished);
        if let Some(Task { stage: Stage::Running(running), .. }) = memory.lock().tasks.get_mut(&id) {
            *running = Some(abort);
            return;
        }
        // It has ended already, or the server shuts down.
        abort.abort();
    }
}

/// A task that runs. It fails if this is dropped before its end, so that none runs forever.
pub(crate) struct Unfinished {
    memory: Arc<MemoryTasks>,
    id: Arc<str>,
}

impl Unfinished {
    pub(crate) fn end(self, end: TaskEnd) {
        self.memory.end(&self.id, end);
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let stopped = json!({ "code": -32603, "message": "the server stopped this task" });
        let stopped = serde_json::value::to_raw_value(&stopped).unwrap_or_default();
        self.memory.end(&self.id, TaskEnd::Failed(stopped));
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.is_task {
            return;
        }
        let mut state = self.memory.lock();
        state.reserved -= 1;
        state.release(self.principal.take());
    }
}
