//! No tests: an engine for tests, whose workers die when a test wants it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use mcp_tool_runtime::BoxFuture;
use mcp_tool_runtime::tasks::{
    StoredCall, TaskEnd, TaskEngine, TaskEngineError, TaskMonitor, TaskRecord, TaskRunner, TaskState, WorkerSettings,
};
use tokio::sync::Notify;

#[derive(Clone, Default)]
pub(super) struct Queue {
    rows: Arc<Mutex<BTreeMap<String, Row>>>,
    changed: Arc<Notify>,
    is_down: Arc<Mutex<bool>>,
    is_unconfirmed: Arc<Mutex<bool>>,
    is_late: Arc<Mutex<bool>>,
    is_hanging: Arc<Mutex<bool>>,
    /// How often `get` and `cancel` were called.
    requests: Arc<AtomicUsize>,
}

#[derive(Clone)]
pub(super) struct Row {
    pub(super) call: StoredCall,
    state: TaskState,
    attempts: u32,
    is_claimed: bool,
    is_cancelled: bool,
    /// The worker that the call is submitted to.
    worker: Option<String>,
}

impl Queue {
    /// Makes every request of the database fail, or work again.
    pub(super) fn set_down(&self, is_down: bool) {
        *self.is_down.lock().expect("no panic") = is_down;
    }

    /// Makes `submit` fail after it has stored the call, as a connection that breaks during the commit.
    pub(super) fn set_unconfirmed(&self) {
        *self.is_unconfirmed.lock().expect("no panic") = true;
    }

    /// Makes `submit` fail, and store the call some seconds later.
    pub(super) fn set_late(&self) {
        *self.is_late.lock().expect("no panic") = true;
    }

    /// Makes `unfinished` wait for ever.
    pub(super) fn set_hanging(&self) {
        *self.is_hanging.lock().expect("no panic") = true;
    }

    pub(super) fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        self.rows.lock().expect("no panic").values().cloned().collect()
    }

    /// Gives all running tasks to other workers, as if their workers had died.
    pub(super) fn put_back(&self) {
        for row in self.rows.lock().expect("no panic").values_mut() {
            (row.is_claimed, row.worker) = (false, None);
        }
        self.changed.notify_waiters();
    }

    fn check(&self) -> Result<(), TaskEngineError> {
        let is_down = *self.is_down.lock().expect("no panic");
        if is_down { Err(TaskEngineError::new("10.0.0.7 refused")) } else { Ok(()) }
    }

    fn change<T>(&self, id: &str, change: impl FnOnce(&mut Row) -> T) -> Option<T> {
        let changed = self.rows.lock().expect("no panic").get_mut(id).map(change);
        self.changed.notify_waiters();
        changed
    }

    fn record(&self, id: &str) -> Option<TaskRecord> {
        let rows = self.rows.lock().expect("no panic");
        rows.get(id).map(|row| TaskRecord::new(row.call.clone(), row.state.clone(), SystemTime::now()))
    }

    /// Claims a call that the worker has not left to others.
    fn claim(&self, left: &Mutex<Vec<String>>, name: Option<&str>) -> Option<(StoredCall, u32)> {
        let mut rows = self.rows.lock().expect("no panic");
        let left = left.lock().expect("no panic");
        let row = rows.values_mut().find(|row| {
            !row.is_claimed
                && matches!(row.state, TaskState::Working(_))
                && row.worker.as_deref() == name
                && !left.contains(&row.call.task_id)
        })?;
        row.is_claimed = true;
        row.attempts += 1;
        Some((row.call.clone(), row.attempts))
    }
}

impl Row {
    pub(super) fn has_ended(&self) -> bool {
        matches!(self.state, TaskState::Ended(_))
    }
}

impl TaskEngine for Queue {
    fn submit(&self, call: StoredCall) -> BoxFuture<'_, Result<(), TaskEngineError>> {
        Box::pin(async move {
            self.check()?;
            if std::mem::take(&mut *self.is_late.lock().expect("no panic")) {
                let queue = self.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_secs(5)).await;
                    queue.submit(call).await
                });
                return Err(TaskEngineError::new("the database does not answer"));
            }
            // As in a database: JSON in, JSON out.
            let call: StoredCall = serde_json::from_value(serde_json::to_value(call).expect("JSON")).expect("a call");
            let state = TaskState::Working(None);
            let row =
                Row { call: call.clone(), state, attempts: 0, is_claimed: false, is_cancelled: false, worker: None };
            self.rows.lock().expect("no panic").insert(call.task_id, row);
            self.changed.notify_waiters();
            let is_unconfirmed = *self.is_unconfirmed.lock().expect("no panic");
            if is_unconfirmed { Err(TaskEngineError::new("the connection broke")) } else { Ok(()) }
        })
    }

    fn submit_to<'a>(
        &'a self,
        call: StoredCall,
        worker: &'a str,
        replaced: Option<&'a TaskEnd>,
    ) -> BoxFuture<'a, Result<bool, TaskEngineError>> {
        Box::pin(async move {
            self.check()?;
            // The statement is on its way.
            tokio::time::sleep(Duration::from_millis(10)).await;
            let mut rows = self.rows.lock().expect("no panic");
            let json = |end: &TaskEnd| serde_json::to_string(end).expect("JSON");
            let is_same =
                |row: &Row| matches!(&row.state, TaskState::Ended(end) if replaced.map(json) == Some(json(end)));
            if rows.get(&call.task_id).is_some_and(is_same) {
                rows.remove(&call.task_id);
            }
            let (state, id) = (TaskState::Working(None), call.task_id.clone());
            let new = Row { call, state, attempts: 0, is_claimed: false, is_cancelled: false, worker: None };
            let row = rows.entry(id).or_insert(new);
            let is_free = row.worker.is_none() && !row.is_claimed && matches!(row.state, TaskState::Working(_));
            if is_free {
                row.worker = Some(worker.to_owned());
            }
            drop(rows);
            self.changed.notify_waiters();
            Ok(is_free)
        })
    }

    fn get<'a>(&'a self, task_id: &'a str) -> BoxFuture<'a, Result<Option<TaskRecord>, TaskEngineError>> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move { self.check().map(|()| self.record(task_id)) })
    }

    fn cancel<'a>(&'a self, task_id: &'a str) -> BoxFuture<'a, Result<(), TaskEngineError>> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move {
            self.check()?;
            self.change(task_id, |row| {
                row.is_cancelled = true;
                if !row.is_claimed && row.attempts == 0 && matches!(row.state, TaskState::Working(_)) {
                    row.state = TaskState::Ended(TaskEnd::Cancelled(None));
                }
            });
            Ok(())
        })
    }

    fn wait<'a>(
        &'a self,
        task_id: &'a str,
        at_most: Duration,
    ) -> BoxFuture<'a, Result<Option<TaskRecord>, TaskEngineError>> {
        Box::pin(async move {
            let end = tokio::time::Instant::now() + at_most;
            loop {
                let changed = self.changed.notified();
                self.check()?;
                let record = self.record(task_id);
                let has_ended = record.as_ref().is_none_or(|record| matches!(record.state, TaskState::Ended(_)));
                if has_ended || tokio::time::timeout_at(end, changed).await.is_err() {
                    return Ok(record);
                }
            }
        })
    }

    fn unfinished<'a>(&'a self, principal: Option<&'a str>) -> BoxFuture<'a, Result<usize, TaskEngineError>> {
        Box::pin(async move {
            self.check()?;
            let rows = self.rows();
            if *self.is_hanging.lock().expect("no panic") {
                std::future::pending::<()>().await;
            }
            // The answer is on its way.
            tokio::time::sleep(Duration::from_millis(10)).await;
            let working = rows.iter().filter(|row| matches!(row.state, TaskState::Working(_)));
            Ok(working.filter(|row| principal.is_none() || row.call.principal.as_deref() == principal).count())
        })
    }

    fn work<'a>(
        &'a self,
        runner: TaskRunner,
        settings: WorkerSettings,
        shutdown: BoxFuture<'a, ()>,
    ) -> BoxFuture<'a, Result<(), TaskEngineError>> {
        Box::pin(async move {
            let left = Arc::<Mutex<Vec<String>>>::default();
            let work = async {
                loop {
                    let changed = self.changed.notified();
                    let Some((call, attempt)) = self.claim(&left, settings.name.as_deref()) else {
                        changed.await;
                        continue;
                    };
                    let (queue, runner, left) = (self.clone(), runner.clone(), Arc::clone(&left));
                    tokio::spawn(async move {
                        let monitor = Monitor { queue: queue.clone(), id: call.task_id.clone() };
                        let Some(end) = runner.run(&call, attempt, &monitor).await else {
                            left.lock().expect("no panic").push(call.task_id.clone());
                            queue.change(&call.task_id, |row| (row.is_claimed, row.attempts) = (false, attempt - 1));
                            return;
                        };
                        while queue.check().is_err() {
                            tokio::time::sleep(Duration::from_millis(100)).await;
                        }
                        // The statement is on its way.
                        tokio::time::sleep(Duration::from_millis(10)).await;
                        queue.change(&call.task_id, |row| {
                            if matches!(row.state, TaskState::Working(_)) {
                                row.state = TaskState::Ended(end);
                            }
                        });
                    });
                }
            };
            tokio::select! {
                () = work => {}
                () = shutdown => {}
            }
            Ok(())
        })
    }
}

struct Monitor {
    queue: Queue,
    id: String,
}

impl TaskMonitor for Monitor {
    fn progress(&self, message: String) {
        self.queue.change(&self.id, |row| row.state = TaskState::Working(Some(message)));
    }

    fn cancelled(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            loop {
                let changed = self.queue.changed.notified();
                if self.queue.rows.lock().expect("no panic").get(&self.id).is_none_or(|row| row.is_cancelled) {
                    return;
                }
                changed.await;
            }
        })
    }
}
