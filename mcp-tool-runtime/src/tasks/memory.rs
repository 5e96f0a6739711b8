//! Tasks in the memory of one process.

use std::collections::{BTreeSet, HashMap};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use serde_json::json;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::{IfStopped, LastReport, Snapshot, TaskEnd, Tasks};
use crate::call::lock;

/// The tasks of this process, which are kept until some time after their end. There is no timer: an expired task is
/// dropped when any task is next created, read or cancelled.
pub(crate) struct MemoryTasks {
    state: Mutex<State>,
    /// Notified when no task is running any more.
    idle: Notify,
    settings: Tasks,
}

#[derive(Default)]
struct State {
    tasks: HashMap<Arc<str>, Task>,
    /// The ended tasks, each with the time after which it is dropped.
    ended: BTreeSet<(Instant, Arc<str>)>,
    /// The number of [reservations](Reservation): calls that run and may still become tasks.
    reserved: usize,
    running: usize,
    /// The number of bytes of all results that are kept.
    bytes: usize,
    of_principal: HashMap<Arc<str>, Share>,
}

/// What one principal uses: the number of tasks and reservations, and the number of bytes of the results that are kept.
#[derive(Default)]
struct Share {
    tasks: usize,
    bytes: usize,
}

struct Task {
    principal: Option<Arc<str>>,
    created_at: SystemTime,
    report: Arc<LastReport>,
    stage: Stage,
    /// How long the task is kept after its end.
    keep_for: Duration,
    /// Notified when the task ends.
    done: Arc<Notify>,
}

impl Task {
    fn new(principal: Option<Arc<str>>, report: Arc<LastReport>, keep_for: Duration) -> Self {
        let (created_at, stage) = (SystemTime::now(), Stage::Running(Running::default()));
        Self { principal, created_at, report, stage, keep_for, done: Arc::default() }
    }
}

/// What stops a running task, and how the task then ends.
#[derive(Default)]
struct Running {
    abort: Option<AbortHandle>,
    if_stopped: Option<IfStopped>,
}

enum Stage {
    Running(Running),
    Ended { end: Arc<TaskEnd>, at: SystemTime, dropped_at: Option<Instant> },
}

/// What [`MemoryTasks::claim`] decides about a call to a tool with `once`.
pub(crate) enum Claim {
    /// The caller must run the call, and then end the call's task with this value.
    Mine(Unfinished),
    /// There is already a task for an identical call: it is running, or it has ended and is not replaced.
    Known,
    /// There are too many tasks, or their results take too many bytes. After this time, there may be room for another
    /// task.
    Full(Duration),
}

/// A call that may become a task. It already counts as a task. If this value is dropped before [`start`](Self::start),
/// the call no longer counts.
pub(crate) struct Reservation {
    memory: Arc<MemoryTasks>,
    principal: Option<Arc<str>>,
    is_task: bool,
}

impl MemoryTasks {
    pub(crate) fn new(settings: Tasks) -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), idle: Notify::new(), settings })
    }

    /// Creates a running task with this id, unless there is one already. A task that has ended is replaced if `is_kept`
    /// returns `false` for its end.
    pub(crate) fn claim(
        self: &Arc<Self>,
        id: &str,
        principal: Option<&str>,
        keep_for: Duration,
        is_kept: impl Fn(&TaskEnd) -> bool,
    ) -> Claim {
        let mut state = lock(&self.state);
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

    /// Waits until a task of this principal has ended, and returns it. Returns `None` if there is no such task.
    pub(crate) async fn wait(&self, id: &str, principal: Option<&str>) -> Option<Snapshot> {
        loop {
            let done = Arc::clone(&lock(&self.state).tasks.get(id)?.done);
            let mut done = pin!(done.notified());
            done.as_mut().enable();
            let snapshot = self.get(id, principal)?;
            if snapshot.end.is_some() {
                return Some(snapshot);
            }
            done.await;
        }
    }

    /// Counts a new task of a principal. If there are too many tasks, or their results take too many bytes, this fails
    /// with the time after which there may be room for another task.
    fn admit(&self, state: &mut State, principal: Option<&str>) -> Result<Option<Arc<str>>, Duration> {
        let Tasks { max_tasks, max_tasks_per_principal, max_bytes, poll_every, .. } = self.settings;
        if max_tasks.is_some_and(|most| state.tasks.len() + state.reserved >= most) || state.bytes >= max_bytes {
            return Err(state.wait(None).unwrap_or(poll_every));
        }
        let principal = principal.map(|principal| match state.of_principal.get_key_value(principal) {
            Some((known, _)) => Arc::clone(known),
            None => principal.into(),
        });
        if let Some(principal) = &principal {
            // One principal must not use up everybody's space.
            let is_full = |share: &Share| {
                max_tasks_per_principal.is_some_and(|most| share.tasks >= most) || share.bytes >= (max_bytes / 4).max(1)
            };
            if state.of_principal.get(principal).is_some_and(is_full) {
                return Err(state.wait(Some(principal)).unwrap_or(poll_every));
            }
            state.of_principal.entry(Arc::clone(principal)).or_default().tasks += 1;
        }
        Ok(principal)
    }

    /// Reserves room for a call that may become a task.
    ///
    /// # Errors
    ///
    /// If there is no room, returns the time after which there may be room for another task.
    pub(crate) fn reserve(self: &Arc<Self>, principal: Option<&str>) -> Result<Reservation, Duration> {
        let mut state = lock(&self.state);
        state.drop_expired();
        let principal = self.admit(&mut state, principal)?;
        state.reserved += 1;
        Ok(Reservation { memory: Arc::clone(self), principal, is_task: false })
    }

    /// Returns a task of this principal, if it exists.
    pub(crate) fn get(&self, id: &str, principal: Option<&str>) -> Option<Snapshot> {
        let mut state = lock(&self.state);
        state.drop_expired();
        let task = state.tasks.get(id).filter(|task| task.principal.as_deref() == principal)?;
        let (updated_at, message, end) = match &task.stage {
            Stage::Running(_) => {
                let report = lock(&task.report.0);
                (report.at.max(task.created_at), report.message.clone(), None)
            }
            Stage::Ended { end, at, .. } => (*at, None, Some(Arc::clone(end))),
        };
        let (id, created_at) = (id.to_owned(), task.created_at);
        let (keep_for, poll_every) = (task.keep_for, self.settings.poll_every);
        Some(Snapshot { id, created_at, updated_at, keep_for, poll_every, message, end })
    }

    /// Cancels a task of this principal. Returns `false` if there is no such task.
    pub(crate) fn cancel(&self, id: &str, principal: Option<&str>) -> bool {
        let mut state = lock(&self.state);
        state.drop_expired();
        let is_known = state.tasks.get(id).is_some_and(|task| task.principal.as_deref() == principal);
        drop(state);
        if is_known {
            self.end(id, None, TaskEnd::Cancelled(None));
        }
        is_known
    }

    /// Ends a task, unless it has already ended. A tool that is still running is dropped. If the task ends itself,
    /// `own` is the `Arc` with its id, so that the task cannot end a later task with an equal id.
    fn end(&self, id: &str, own: Option<&Arc<str>>, end: TaskEnd) {
        let mut state = lock(&self.state);
        if own.is_some_and(|own| state.running(own).is_none()) {
            return;
        }
        let Some((id, task)) = state.tasks.get_key_value(id) else { return };
        let (id, dropped_at) = (Arc::clone(id), Instant::now().checked_add(task.keep_for));
        let Some(task) = state.tasks.get_mut(&*id) else { return };
        let Stage::Running(running) = &mut task.stage else { return };
        let Running { abort, if_stopped } = std::mem::take(running);
        let end = IfStopped::apply(if_stopped, end);
        let bytes = end.bytes();
        task.stage = Stage::Ended { end: Arc::new(end), at: SystemTime::now(), dropped_at };
        task.done.notify_waiters();
        let principal = task.principal.clone();
        state.ended.extend(dropped_at.map(|at| (at, id)));
        state.running -= 1;
        state.bytes += bytes;
        if let Some(share) = principal.and_then(|principal| state.of_principal.get_mut(&principal)) {
            share.bytes += bytes;
        }
        if state.running == 0 {
            self.idle.notify_waiters();
        }
        // Release the lock first, because aborting may drop the tool's future, and so run the tool's code.
        drop(state);
        if let Some(abort) = abort {
            abort.abort();
        }
    }

    /// Waits for the running tasks, but no longer than `at_most`, and then cancels those that are still running.
    pub(crate) async fn finish(&self, at_most: Duration, message: &str) {
        let ended = async {
            loop {
                let idle = self.idle.notified();
                if lock(&self.state).running == 0 {
                    return;
                }
                idle.await;
            }
        };
        if tokio::time::timeout(at_most, ended).await.is_ok() {
            return;
        }
        let running = |(id, task): (&Arc<str>, &Task)| matches!(task.stage, Stage::Running(_)).then(|| Arc::clone(id));
        let running: Vec<_> = lock(&self.state).tasks.iter().filter_map(running).collect();
        for id in running {
            self.end(&id, None, TaskEnd::Cancelled(Some(message.to_owned())));
        }
    }
}

impl State {
    fn drop_expired(&mut self) {
        let now = Instant::now();
        while let Some((_, id)) = self.ended.first().filter(|(at, _)| *at <= now) {
            let id = Arc::clone(id);
            self.ended.pop_first();
            self.drop_task(&id);
        }
    }

    fn drop_task(&mut self, id: &str) {
        if let Some(task) = self.tasks.remove(id) {
            let bytes = match &task.stage {
                Stage::Ended { end, .. } => end.bytes(),
                Stage::Running(_) => 0,
            };
            self.bytes -= bytes;
            self.release(task.principal, bytes);
        }
    }

    fn release(&mut self, principal: Option<Arc<str>>, bytes: usize) {
        let Some(principal) = principal else { return };
        if let Some(share) = self.of_principal.get_mut(&principal) {
            (share.tasks, share.bytes) = (share.tasks - 1, share.bytes - bytes);
            if share.tasks == 0 {
                self.of_principal.remove(&principal);
            }
        }
    }

    /// Returns the running task whose id is this very `Arc`. An equal id is not enough: a call that was cancelled and
    /// claimed again is another task with an equal id.
    fn running(&mut self, own: &Arc<str>) -> Option<&mut Running> {
        self.tasks.get_key_value(own).filter(|(id, _)| Arc::ptr_eq(id, own))?;
        if let Stage::Running(running) = &mut self.tasks.get_mut(own)?.stage { Some(running) } else { None }
    }

    /// Returns the time until the next task of one principal, or of all principals, is dropped.
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
        lock(&report.0).client = None;
        {
            let mut state = lock(&memory.state);
            state.reserved -= 1;
            state.running += 1;
            state.tasks.insert(Arc::clone(&id), Task::new(principal, report, memory.settings.keep_for));
        }
        Unfinished { memory, id }.start(None, spawn);
    }
}

/// A running task. The task fails if this value is dropped before its end, so that no task runs forever.
pub(crate) struct Unfinished {
    memory: Arc<MemoryTasks>,
    id: Arc<str>,
}

impl Unfinished {
    /// Starts the task, unless it has been cancelled already. `spawn` gets this value, which ends the task.
    pub(crate) fn start(self, if_stopped: Option<IfStopped>, spawn: impl FnOnce(Self) -> AbortHandle) {
        let (memory, own) = (Arc::clone(&self.memory), Arc::clone(&self.id));
        match lock(&memory.state).running(&own) {
            Some(running) => running.if_stopped = if_stopped,
            None => return,
        }
        let abort = spawn(self);
        if let Some(running) = lock(&memory.state).running(&own) {
            running.abort = Some(abort);
            return;
        }
        // The task has ended in the meantime, for example because the server is shutting down.
        abort.abort();
    }

    pub(crate) fn end(self, end: TaskEnd) {
        self.memory.end(&self.id, Some(&self.id), end);
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let stopped = json!({ "code": -32603, "message": "the server stopped this task" });
        let stopped = serde_json::value::to_raw_value(&stopped).unwrap_or_default();
        self.memory.end(&self.id, Some(&self.id), TaskEnd::Failed(stopped));
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.is_task {
            return;
        }
        let mut state = lock(&self.memory.state);
        state.reserved -= 1;
        state.release(self.principal.take(), 0);
    }
}
