//! The engine, which implements [`TaskEngine`] on top of a [`Store`].

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use mcp_tool_runtime::BoxFuture;
use mcp_tool_runtime::tasks::{
    StoredCall, TaskEnd, TaskEngine, TaskEngineError, TaskRecord, TaskRunner, TaskState, WorkerSettings,
};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout};

use crate::store::{self, BoxError, NewRecord, Record, Store};
use crate::worker;

/// How long the engine waits for the database before it reports that the database does not answer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// The name of the queue if the server does not set one.
pub(crate) const QUEUE: &str = "mcp-tool";

/// How long an engine waits before it checks again whether another process has changed a task that this process runs or
/// waits for.
pub(crate) const POLL: Duration = Duration::from_millis(250);

/// An engine on a database: `SqliteEngine`, `PostgresEngine` or `RedisEngine`.
///
/// A clone is the same engine. A process that is both a server and a worker should make one engine and clone it, so
/// that it notices new tasks and their ends without polling the database.
#[derive(Debug, Clone)]
pub struct Engine<S> {
    pub(crate) store: S,
    pub(crate) lease: Duration,
    /// Notified when a call may have been submitted or cancelled, by this process or another one.
    pub(crate) changed: Arc<Notify>,
    /// Notified when a call has been submitted to a worker of this process.
    pub(crate) submitted: Arc<Notify>,
    /// Notified when this process has stored the end of a task or cancelled a task.
    pub(crate) ended: Arc<Notify>,
}

impl<S: Store> Engine<S> {
    pub(crate) fn new(store: S) -> Self {
        let (changed, submitted, ended) = Default::default();
        Self { store, lease: Duration::from_secs(30), changed, submitted, ended }
    }

    /// Sets how long a worker may be silent before its tasks run again elsewhere. The default is 30 seconds, and the
    /// minimum is 2 seconds.
    ///
    /// All workers of a queue should have the same lease.
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease.max(Duration::from_secs(2));
        self
    }

    pub(crate) async fn record(&self, task_id: &str) -> Result<Option<TaskRecord>, BoxError> {
        let Some(id) = store::job_id(task_id) else { return Ok(None) };
        loop {
            let Some(record) = answered(self.store.get(&id)).await? else { return Ok(None) };
            let is_overdue = record.is_overdue;
            let record = TaskRecord::try_from(record)?;
            if !is_overdue || !answered(self.store.end_waiting(&id, &not_claimed(record.call.keep_for))).await? {
                return Ok(Some(record));
            }
        }
    }
}

impl<S: Store> TaskEngine for Engine<S> {
    fn submit(&self, call: StoredCall) -> BoxFuture<'_, Result<(), TaskEngineError>> {
        Box::pin(async move {
            let (id, json) = written(&call).map_err(TaskEngineError::new)?;
            answered(self.store.submit(record_of(&call, &id, &json))).await.map_err(TaskEngineError::new)?;
            self.changed.notify_one();
            Ok(())
        })
    }

    fn submit_to<'a>(
        &'a self,
        call: StoredCall,
        worker: &'a str,
        replaced: Option<&'a TaskEnd>,
    ) -> BoxFuture<'a, Result<bool, TaskEngineError>> {
        Box::pin(async move {
            let (id, json) = written(&call).map_err(TaskEngineError::new)?;
            let replaced = replaced.map(serde_json::to_string).transpose().map_err(TaskEngineError::new)?;
            let submitted = self.store.submit_to(record_of(&call, &id, &json), worker, replaced.as_deref());
            let is_claimed = answered(submitted).await.map_err(TaskEngineError::new)?;
            if is_claimed {
                self.submitted.notify_one();
            }
            Ok(is_claimed)
        })
    }

    fn get<'a>(&'a self, task_id: &'a str) -> BoxFuture<'a, Result<Option<TaskRecord>, TaskEngineError>> {
        Box::pin(async move { self.record(task_id).await.map_err(TaskEngineError::new) })
    }

    fn cancel<'a>(&'a self, task_id: &'a str) -> BoxFuture<'a, Result<(), TaskEngineError>> {
        Box::pin(async move {
            let Some(id) = store::job_id(task_id) else { return Ok(()) };
            let cancelled = async {
                if !self.store.end_waiting(&id, CANCELLED).await? {
                    self.store.ask_to_cancel(&id).await?;
                }
                Ok(())
            };
            answered(cancelled).await.map_err(TaskEngineError::new)?;
            self.changed.notify_one();
            self.ended.notify_waiters();
            Ok(())
        })
    }

    fn wait<'a>(
        &'a self,
        task_id: &'a str,
        at_most: Duration,
    ) -> BoxFuture<'a, Result<Option<TaskRecord>, TaskEngineError>> {
        Box::pin(async move {
            let start = Instant::now();
            loop {
                let ended = self.ended.notified();
                tokio::pin!(ended);
                ended.as_mut().enable();
                let record = self.record(task_id).await.map_err(TaskEngineError::new)?;
                let rest = at_most.saturating_sub(start.elapsed());
                if rest.is_zero() || !matches!(record, Some(TaskRecord { state: TaskState::Working(_), .. })) {
                    return Ok(record);
                }
                tokio::select! {
                    () = ended => {}
                    () = sleep(POLL.min(rest)) => {}
                }
            }
        })
    }

    fn unfinished<'a>(&'a self, principal: Option<&'a str>) -> BoxFuture<'a, Result<usize, TaskEngineError>> {
        Box::pin(async move {
            let count = answered(self.store.unfinished(principal)).await.map_err(TaskEngineError::new)?;
            Ok(usize::try_from(count).unwrap_or(usize::MAX))
        })
    }

    fn work<'a>(
        &'a self,
        runner: TaskRunner,
        settings: WorkerSettings,
        shutdown: BoxFuture<'a, ()>,
    ) -> BoxFuture<'a, Result<(), TaskEngineError>> {
        let run: worker::Run = Arc::new(move |call, attempt, monitor| {
            let runner = runner.clone();
            Box::pin(async move { runner.run(&call, attempt, &*monitor).await })
        });
        Box::pin(async move {
            worker::work(self, run, settings, shutdown).await;
            Ok(())
        })
    }
}

/// Returns the id of a call's job, and the call as JSON.
fn written(call: &StoredCall) -> Result<(String, String), BoxError> {
    let id = store::job_id(&call.task_id).ok_or("a task id must be 32 lower-case hexadecimal digits")?;
    Ok((id, serde_json::to_string(call)?))
}

fn record_of<'a>(call: &'a StoredCall, id: &'a str, json: &'a str) -> NewRecord<'a> {
    NewRecord { id, principal: call.principal.as_deref(), call: json, keep_for: store::millis(call.keep_for) }
}

impl TryFrom<Record> for TaskRecord {
    type Error = serde_json::Error;

    fn try_from(record: Record) -> Result<Self, Self::Error> {
        let call = serde_json::from_str(&record.call)?;
        let state = match record.outcome {
            None => TaskState::Working(record.message),
            Some(end) => TaskState::Ended(serde_json::from_str(&end)?),
        };
        let updated_at = UNIX_EPOCH + Duration::from_millis(record.updated_at.unsigned_abs());
        Ok(Self::new(call, state, updated_at))
    }
}

/// Runs statements. Fails if they take longer than [`PATIENCE`].
pub(crate) async fn answered<T>(statements: impl Future<Output = Result<T, BoxError>>) -> Result<T, BoxError> {
    timeout(PATIENCE, statements).await.map_err(|_| "the database does not answer")?
}

/// The `TaskEnd` of a cancelled task, as JSON.
pub(crate) const CANCELLED: &str = r#"{"cancelled":null}"#;

/// Returns, as JSON, the `TaskEnd` of a task that fails with an internal JSON-RPC error.
pub(crate) fn failed(message: &str) -> String {
    serde_json::json!({ "failed": { "code": -32603, "message": message } }).to_string()
}

/// Returns, as JSON, the `TaskEnd` of a task whose result cannot be stored. The tool has run, so an identical call of a
/// tool with `once` must not run it again. The code `result_lost` marks this case.
pub(crate) fn result_lost() -> String {
    let text = "the tool has done its work, but its result is too long to be stored";
    let content = [serde_json::json!({ "type": "text", "text": text })];
    let meta = serde_json::json!({ "rs.mcp-tool/code": "result_lost" });
    let result = serde_json::json!({ "resultType": "complete", "isError": true, "content": content, "_meta": meta });
    serde_json::json!({ "completed": result }).to_string()
}

fn not_claimed(keep_for: Duration) -> String {
    failed(&format!("no worker that can run this task took it within {} s", keep_for.as_secs()))
}
