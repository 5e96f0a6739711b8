//! The tasks of one process.

use std::collections::{BTreeSet, HashMap};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::json;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::{Snapshot, TaskEnd, Tasks};
use crate::Progress;
use crate::call::ProgressSink;

/// Keeps tasks until some time after their end. There is no timer: an ended task is dropped when the tasks are next
/// used for something else.
pub(crate) struct MemoryTasks {
    state: Mutex<State>,
    /// Notified when no task runs.
    idle: Notify,
    keep_for: Duration,
    poll_every: Duration,
    max_tasks: usize,
    max_tasks_per_principal: usize,
    max_bytes: usize,
}

#[derive(Default)]
struct State {
    tasks: HashMap<Arc<str>, Task>,
    /// The ended tasks, each with the time at which it is dropped.
    ended: BTreeSet<(Instant, Arc<str>)>,
    /// The calls that may still become tasks.
    reserved: usize,
    running: usize,
    /// The bytes of all results that are kept.
    bytes: usize,
    /// The tasks and reservations of each principal.
    of_principal: HashMap<Arc<str>, usize>,
}

struct Task {
    principal: Option<Arc<str>>,
    created_at: SystemTime,
    report: Arc<LastReport>,
    stage: Stage,
    /// How long it is kept after its end.
    keep_for: Duration,
    /// Notified of the end.
    done: Arc<Notify>,
}

impl Task {
    fn new(principal: Option<Arc<str>>, report: Arc<LastReport>, keep_for: Duration) -> Self {
        let (created_at, stage) = (SystemTime::now(), Stage::Running(None));
        Self { principal, created_at, report, stage, keep_for, done: Arc::default() }
    }
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
    /// The client that asked for progress. Once it has the task's id, it gets no more reports.
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
            // Report with the lock held, so that no report can follow the task's id.
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

/// What becomes of a call whose act may already be known.
pub(crate) enum Claim {
    /// The call is the act.
    Mine(Unfinished),
    /// The same call runs, or has run.
    Known,
    /// There are too many tasks. After this time, there may be a place.
    Full(Duration),
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
            max_bytes: tasks.max_bytes,
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a call the task with this id, unless there already is one. A task that has ended and is not kept is
    /// replaced.
    pub(crate) fn claim(
        self: &Arc<Self>,
        id: &str,
        principal: Option<&str>,
        keep_for: Duration,
        is_kept: impl Fn(&TaskEnd) -> bool,
    ) -> Claim {
        let mut state = self.lock();
        state.drop_expired();
        if let Some((id, task)) = state.tasks.get_key_value(id) {
            let Stage::Ended { end, dropped_at, .. } = &task.stage else { return Claim::Known };
            if is_kept(end) {
                return Claim::Known;
            }
            let (id, dropped_at) = (Arc::clone(id), *dropped_at);
            state.ended.retain(|(at, ended)| Some(*at) != dropped_at || *ended != id);
            state.drop_task(&id);
        }
        let principal = match self.admit(&mut state, principal) {
            Ok(principal) => principal,
            Err(wait) => return Claim::Full(wait),
        };
        let id = Arc::<str>::from(id);
        state.running += 1;
        state.tasks.insert(Arc::clone(&id), Task::new(principal, LastReport::new(None), keep_for));
        Claim::Mine(Unfinished { memory: Arc::clone(self), id })
    }

    /// Waits for the end of a task of this principal.
    pub(crate) async fn wait(&self, id: &str, principal: Option<&str>) -> Option<Snapshot> {
        loop {
            let done = Arc::clone(&self.lock().tasks.get(id)?.done);
            let mut done = pin!(done.notified());
            done.as_mut().enable();
            let snapshot = self.get(id, principal)?;
            if snapshot.end.is_some() {
                return Some(snapshot);
            }
            done.await;
        }
    }

    /// Counts a task of a principal. If there are too many, fails with the time after which there may be a place.
    fn admit(&self, state: &mut State, principal: Option<&str>) -> Result<Option<Arc<str>>, Duration> {
        if state.tasks.len() + state.reserved >= self.max_tasks || state.bytes >= self.max_bytes {
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
        Ok(principal)
    }

    /// Reserves a place for a call.
    ///
    /// # Errors
    ///
    /// If there are too many tasks: the time after which there may be a place.
    pub(crate) fn reserve(self: &Arc<Self>, principal: Option<&str>) -> Result<Reservation, Duration> {
        let mut state = self.lock();
        state.drop_expired();
        let principal = self.admit(&mut state, principal)?;
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
        let (keep_for, poll_every) = (task.keep_for, self.poll_every);
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
        let Some((id, task)) = state.tasks.get_key_value(id) else { return };
        let (id, dropped_at) = (Arc::clone(id), Instant::now().checked_add(task.keep_for));
        let Some(task) = state.tasks.get_mut(&*id) else { return };
        let Stage::Running(abort) = &mut task.stage else { return };
        let abort = abort.take();
        let bytes = end.bytes();
        task.stage = Stage::Ended { end: Arc::new(end), at: SystemTime::now(), dropped_at };
        task.done.notify_waiters();
        state.ended.extend(dropped_at.map(|at| (at, id)));
        state.running -= 1;
        state.bytes += bytes;
        if state.running == 0 {
            self.idle.notify_waiters();
        }
        drop(state);
        // The tool's own code may run now.
        if let Some(abort) = abort {
            abort.abort();
        }
    }

    /// Waits for the running tasks, but no longer than this, and then cancels those that are still running.
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
        let Some((first, _)) = self.ended.first() else { return };
        let now = Instant::now();
        if *first > now {
            return;
        }
        while let Some((_, id)) = self.ended.first().filter(|(at, _)| *at <= now) {
            let id = Arc::clone(id);
            self.ended.pop_first();
            self.drop_task(&id);
        }
    }

    fn drop_task(&mut self, id: &str) {
        if let Some(task) = self.tasks.remove(id) {
            if let Stage::Ended { end, .. } = &task.stage {
                self.bytes -= end.bytes();
            }
            self.release(task.principal);
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
    /// Makes the call a task. `spawn` starts the task, and gets the value that ends it.
    pub(crate) fn start(mut self, id: &str, report: Arc<LastReport>, spawn: impl FnOnce(Unfinished) -> AbortHandle) {
        self.is_task = true;
        let (memory, id) = (Arc::clone(&self.memory), Arc::<str>::from(id));
        let principal = self.principal.take();
        report.lock().client = None;
        {
            let mut state = memory.lock();
            state.reserved -= 1;
            state.running += 1;
            state.tasks.insert(Arc::clone(&id), Task::new(principal, report, memory.keep_for));
        }
        let unfinished = Unfinished { memory: Arc::clone(&memory), id: Arc::clone(&id) };
        let abort = spawn(unfinished);
        if let Some(Task { stage: Stage::Running(running), .. }) = memory.lock().tasks.get_mut(&id) {
            *running = Some(abort);
            return;
        }
        // The task has already ended, or the server is shutting down.
        abort.abort();
    }
}

/// A running task. The task fails if this value is dropped before its end, so that no task runs forever.
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
