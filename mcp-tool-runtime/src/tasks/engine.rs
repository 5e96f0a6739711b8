//! `TaskEngine`: the trait of engines that store tasks outside the process, and run them.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::BoxFuture;

/// Records tasks durably, and runs them in this process or another one.
///
/// An engine decides who runs a task, notices that a worker has died, and runs the tasks of that worker again
/// elsewhere. An engine is an adapter to a job queue. The package `mcp-tool-tasks` has engines for `SQLite`, `Postgres`
/// and `Redis`.
///
/// A task has one end: if [`TaskRunner::run`] is called several times for one task, the engine stores the end that
/// comes first.
pub trait TaskEngine: Send + Sync + 'static {
    /// Records a call. When the future is ready, [`get`](Self::get) finds the task in every process.
    fn submit(&self, call: StoredCall) -> BoxFuture<'_, Result<(), TaskEngineError>>;

    /// Records a call to a tool with `once`, and claims it for a worker of this process. `worker` is the
    /// [name](WorkerSettings::name) of that worker. The id of the task is not random: identical calls have the same id.
    ///
    /// Returns `false`, and records nothing, if there is already a task with this id. There are two exceptions: a task
    /// whose worker has died is claimed for this worker, and a task whose end is equal to `replaced` is replaced with
    /// this call. All of this is one step, so if several processes submit the same call, only one gets `true`.
    fn submit_to<'a>(
        &'a self,
        call: StoredCall,
        worker: &'a str,
        replaced: Option<&'a TaskEnd>,
    ) -> BoxFuture<'a, Result<bool, TaskEngineError>>;

    /// Returns the task with this id, or `None` if there is no such task or if it has expired.
    fn get<'a>(&'a self, task_id: &'a str) -> BoxFuture<'a, Result<Option<TaskRecord>, TaskEngineError>>;

    /// Asks for a task to be cancelled. A task that no worker has started yet is cancelled at once. For a task that
    /// runs, the worker's [`TaskMonitor::cancelled`] becomes ready. A task that has ended does not change.
    fn cancel<'a>(&'a self, task_id: &'a str) -> BoxFuture<'a, Result<(), TaskEngineError>>;

    /// Waits until the task has ended, but no longer than `at_most`, and returns it. If the task has not ended by then,
    /// returns its current state.
    fn wait<'a>(
        &'a self,
        task_id: &'a str,
        at_most: Duration,
    ) -> BoxFuture<'a, Result<Option<TaskRecord>, TaskEngineError>>;

    /// Returns how many tasks have not ended: the tasks of one principal, or all tasks if `principal` is `None`.
    fn unfinished<'a>(&'a self, principal: Option<&'a str>) -> BoxFuture<'a, Result<usize, TaskEngineError>>;

    /// Claims tasks and runs them with `runner`, until `shutdown` is ready and the running tasks have ended.
    fn work<'a>(
        &'a self,
        runner: TaskRunner,
        settings: WorkerSettings,
        shutdown: BoxFuture<'a, ()>,
    ) -> BoxFuture<'a, Result<(), TaskEngineError>>;
}

/// Lets several dispatchers and workers share an engine.
impl<E: TaskEngine + ?Sized> TaskEngine for Arc<E> {
    fn submit(&self, call: StoredCall) -> BoxFuture<'_, Result<(), TaskEngineError>> {
        (**self).submit(call)
    }

    fn submit_to<'a>(
        &'a self,
        call: StoredCall,
        worker: &'a str,
        replaced: Option<&'a TaskEnd>,
    ) -> BoxFuture<'a, Result<bool, TaskEngineError>> {
        (**self).submit_to(call, worker, replaced)
    }

    fn get<'a>(&'a self, task_id: &'a str) -> BoxFuture<'a, Result<Option<TaskRecord>, TaskEngineError>> {
        (**self).get(task_id)
    }

    fn cancel<'a>(&'a self, task_id: &'a str) -> BoxFuture<'a, Result<(), TaskEngineError>> {
        (**self).cancel(task_id)
    }

    fn wait<'a>(
        &'a self,
        task_id: &'a str,
        at_most: Duration,
    ) -> BoxFuture<'a, Result<Option<TaskRecord>, TaskEngineError>> {
        (**self).wait(task_id, at_most)
    }

    fn unfinished<'a>(&'a self, principal: Option<&'a str>) -> BoxFuture<'a, Result<usize, TaskEngineError>> {
        (**self).unfinished(principal)
    }

    fn work<'a>(
        &'a self,
        runner: TaskRunner,
        settings: WorkerSettings,
        shutdown: BoxFuture<'a, ()>,
    ) -> BoxFuture<'a, Result<(), TaskEngineError>> {
        (**self).work(runner, settings, shutdown)
    }
}

/// A call as an engine stores it.
///
/// Nothing else from the request survives: no header, no connection, and only those extensions that the author saves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StoredCall {
    /// The id of the task: 32 hexadecimal digits of 128 bits, which are random unless the tool has `once`.
    pub task_id: String,
    /// The name of the tool.
    pub tool: String,
    /// The arguments. They have been checked, unless the tool has middlewares.
    pub arguments: Value,
    /// The protocol version in which the result is written, such as `2026-07-28`. This is the version of the request,
    /// or the latest version if the tool has `once`.
    pub protocol_version: String,
    /// The id of the call.
    pub call_id: String,
    /// The `traceparent` in the `_meta` of the request. The worker's span contains it as a field.
    #[serde(default)]
    pub traceparent: Option<String>,
    /// Who created the task, or `None` if the request had no principal.
    pub principal: Option<String>,
    /// What [`task_context`](crate::DispatcherBuilder::task_context) saves from the extensions.
    pub context: Option<Value>,
    /// When the task was created.
    pub created_at: SystemTime,
    /// How long the engine keeps the task after its end.
    pub keep_for: Duration,
}

/// A task as an engine returns it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TaskRecord {
    /// The call.
    pub call: StoredCall,
    /// What has become of the call so far.
    pub state: TaskState,
    /// When the state last changed.
    pub updated_at: SystemTime,
}

impl TaskRecord {
    /// Creates a record.
    pub fn new(call: StoredCall, state: TaskState, updated_at: SystemTime) -> Self {
        Self { call, state, updated_at }
    }
}

/// What has become of a task so far.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum TaskState {
    /// The task waits or runs. The text is the last progress message.
    Working(Option<String>),
    /// The task has ended.
    Ended(TaskEnd),
}

/// How a task ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TaskEnd {
    /// The call has a result, which is a success or an error of the tool. The JSON is a `CallToolResult` in the call's
    /// protocol version.
    Completed(Box<RawValue>),
    /// The call has no result, but ended with this JSON-RPC error.
    Failed(Box<RawValue>),
    /// The task was cancelled. The text says why, unless the client has cancelled it.
    Cancelled(Option<String>),
}

impl TaskEnd {
    /// Returns the size of the result or error in bytes of JSON. It is 0 for a cancelled task.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Completed(json) | Self::Failed(json) => json.get().len(),
            Self::Cancelled(_) => 0,
        }
    }
}

/// The settings of a worker.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct WorkerSettings {
    /// The maximum number of tasks that run at once. This is 0 for a worker with a [`name`](Self::name), which may run
    /// any number of tasks.
    pub concurrency: usize,
    /// The maximum number of attempts at one task. In any further attempt, [`TaskRunner::run`] does not run the tool.
    pub max_attempts: u32,
    /// The name that is passed to [`submit_to`](TaskEngine::submit_to) for the calls that this worker runs. A worker
    /// with a name claims no other calls.
    pub name: Option<String>,
}

/// What a running task tells its engine, and what the engine tells the task.
pub trait TaskMonitor: Send + Sync {
    /// Stores a progress message. This may be called often: an engine may skip messages, but must store the last one
    /// eventually.
    fn progress(&self, message: String);

    /// Completes when the task must stop because its client has cancelled it or another worker has claimed it. This can
    /// happen before the task starts.
    fn cancelled(&self) -> BoxFuture<'_, ()>;
}

/// Runs stored calls. A [`Worker`](crate::dispatcher::Worker) passes a runner to its engine.
#[derive(Clone)]
pub struct TaskRunner {
    calls: Arc<dyn RunStored>,
}

/// What a runner needs from a dispatcher.
pub(crate) trait RunStored: Send + Sync {
    fn run<'a>(
        &'a self,
        call: &'a StoredCall,
        attempt: u32,
        monitor: &'a dyn TaskMonitor,
    ) -> BoxFuture<'a, Option<TaskEnd>>;
}

impl TaskRunner {
    pub(crate) fn new(calls: impl RunStored + 'static) -> Self {
        Self { calls: Arc::new(calls) }
    }

    /// Runs a call, and returns its end for the engine to store.
    ///
    /// Returns `None` if this worker cannot run the call: it has no such tool, does not know the protocol version, or
    /// cannot read the context. The engine then gives the task back without counting the attempt, because a worker of
    /// another version may be able to run it.
    ///
    /// `attempt` counts from 1. A tool runs again only if it has `idempotent_hint` or `read_only_hint`, and only up to
    /// [`max_attempts`](WorkerSettings::max_attempts). Otherwise the tool does not run, and the end is an error result,
    /// which says that the outcome is not known. An engine may therefore pass a task to its runner any number of times.
    /// Dropping the future stops the tool at its next `await`, and the task then has no end.
    pub async fn run(&self, call: &StoredCall, attempt: u32, monitor: &dyn TaskMonitor) -> Option<TaskEnd> {
        self.calls.run(call, attempt, monitor).await
    }
}

debug_struct!(TaskRunner);

/// The error of an engine that cannot do what it was asked to do, usually because its database does not answer.
///
/// The text goes to the log. The client learns only that a later attempt may succeed.
#[derive(Debug)]
pub struct TaskEngineError(Box<dyn std::error::Error + Send + Sync>);

impl TaskEngineError {
    /// Wraps an error.
    pub fn new(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(source.into())
    }
}

impl fmt::Display for TaskEngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the task engine failed: {}", self.0)
    }
}

impl std::error::Error for TaskEngineError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.0)
    }
}
