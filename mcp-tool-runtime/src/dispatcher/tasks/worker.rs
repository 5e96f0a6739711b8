//! Runs stored calls (feature `tasks`).

use std::collections::HashSet;
use std::pin::pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::task::Poll;

use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::watch;

use super::super::call::ContextParts;
use super::super::record::Sent;
use super::super::run::{PreparedCall, Target};
use super::super::span::attach_task;
use super::Dispatcher;
use super::once::Ended;
use crate::call::{CallState, ProgressSink, add_property, catch_panic::catch, lock};
use crate::json::writer::raw_json;
use crate::operations::{Carrier, OpenRecord, Outcome};
use crate::output::error_kind::OUTCOME_UNKNOWN;
use crate::tasks::{
    IfStopped, RunStored, StoredCall, TaskEnd, TaskEngine, TaskEngineError, TaskMonitor, TaskRunner, WorkerSettings,
    status_message,
};
use crate::{
    CallId, CallToolRequest, CallToolResponse, DispatchError, Extensions, ProtocolVersion, ToolError, log, mcp,
};

impl Dispatcher {
    /// Creates a worker, which runs the tasks of an engine with the tools of this dispatcher (feature `tasks`).
    ///
    /// A process can both serve tools and run tasks. If yours does, start the worker on its own tokio task.
    ///
    /// ```
    /// use mcp_tool_runtime::Dispatcher;
    /// use mcp_tool_runtime::tasks::{TaskEngine, TaskEngineError};
    ///
    /// async fn run_tasks(dispatcher: Dispatcher, engine: impl TaskEngine) -> Result<(), TaskEngineError> {
    ///     let shutdown = std::future::pending::<()>(); // in a server: tokio::signal::ctrl_c()
    ///     dispatcher.worker(engine).concurrency(20).run_until(shutdown).await
    /// }
    /// ```
    #[must_use = "a worker does nothing until `run` or `run_until` is called"]
    pub fn worker(&self, engine: impl TaskEngine) -> Worker {
        self.worker_on(Arc::new(engine))
    }

    /// Creates a worker for the engine of this dispatcher, or returns `None` if there is no engine.
    pub(crate) fn own_worker(&self) -> Option<Worker> {
        let engine = self.inner.tasks.service.as_ref()?.settings.engine.as_ref()?;
        Some(self.worker_on(Arc::clone(engine)))
    }

    fn worker_on(&self, engine: Arc<dyn TaskEngine>) -> Worker {
        let max_attempts = self.inner.tasks.service.as_ref().map_or(3, |tasks| tasks.settings.max_attempts);
        let settings = WorkerSettings { concurrency: 10, max_attempts, name: None };
        Worker { dispatcher: self.clone(), engine, settings }
    }

    /// Returns the end of a task whose call has ended with `ended`.
    pub(super) fn end_of(&self, ended: &Ended, version: ProtocolVersion) -> TaskEnd {
        match ended {
            Ok(response) => {
                let mut bytes = Vec::new();
                mcp::result::write(&mut bytes, response, version, self.server_info());
                TaskEnd::Completed(raw(bytes))
            }
            Err(error) => {
                let mut json = json!({ "code": error.code(), "message": error.to_string() });
                add_property(&mut json, "data", error.data());
                TaskEnd::Failed(raw(json.to_string()))
            }
        }
    }
}

/// A worker that runs the tasks of an engine (feature `tasks`). [`Dispatcher::worker`] creates it.
#[must_use = "a worker does nothing until `run` or `run_until` is called"]
pub struct Worker {
    dispatcher: Dispatcher,
    engine: Arc<dyn TaskEngine>,
    settings: WorkerSettings,
}

impl Worker {
    /// Limits how many tasks run at once. The default is 10, and the minimum 1.
    pub fn concurrency(mut self, tasks: usize) -> Self {
        self.settings.concurrency = tasks.max(1);
        self
    }

    /// Runs tasks until the process ends.
    ///
    /// # Errors
    ///
    /// Returns the engine's error if the engine cannot continue.
    pub async fn run(self) -> Result<(), TaskEngineError> {
        self.run_until(std::future::pending::<()>()).await
    }

    /// Runs tasks until `shutdown` completes. After that, the worker claims no more tasks, and waits for those that are
    /// running.
    ///
    /// # Errors
    ///
    /// Returns the engine's error if the engine cannot continue.
    pub async fn run_until(self, shutdown: impl Future + Send) -> Result<(), TaskEngineError> {
        let Self { dispatcher, engine, settings } = self;
        let runner = TaskRunner::new(StoredCalls::new(dispatcher, settings.max_attempts));
        let shutdown = Box::pin(async {
            shutdown.await;
        });
        engine.work(runner, settings, shutdown).await
    }
}

debug_struct!(Worker, worker => dispatcher: worker.dispatcher, settings: worker.settings);

/// Runs stored calls with the tools of a dispatcher.
pub(super) struct StoredCalls {
    dispatcher: Dispatcher,
    max_attempts: u32,
    /// The names of the tools whose calls this worker has left to other workers.
    left: Mutex<HashSet<String>>,
}

impl RunStored for StoredCalls {
    fn run<'a>(
        &'a self,
        call: &'a StoredCall,
        attempt: u32,
        monitor: &'a dyn TaskMonitor,
    ) -> crate::BoxFuture<'a, Option<TaskEnd>> {
        Box::pin(async move { self.end(call, attempt, monitor).await.map_err(|reason| self.leave(call, &reason)).ok() })
    }
}

/// Logs why a stored call cannot run, and returns its end. The client learns only that the server is at fault.
fn not_run(call: &StoredCall, reason: &str) -> TaskEnd {
    log::task_not_run(&call.tool, &call.task_id, reason);
    TaskEnd::Failed(raw(json!({ "code": -32603, "message": "the server cannot run this task" }).to_string()))
}

/// Turns JSON into a `RawValue`. This crate has written the JSON, so it is valid.
pub(super) fn raw(json: impl Into<Vec<u8>>) -> Box<RawValue> {
    let json = String::from_utf8(json.into()).unwrap_or_default();
    raw_json(&json).map(ToOwned::to_owned).unwrap_or_default()
}

impl StoredCalls {
    pub(super) fn new(dispatcher: Dispatcher, max_attempts: u32) -> Self {
        Self { dispatcher, max_attempts, left: Mutex::default() }
    }

    /// Logs why this worker leaves a stored call to other workers. Only the first such call of each tool is logged,
    /// because the engine offers a call again and again.
    fn leave(&self, call: &StoredCall, reason: &str) {
        if lock(&self.left).insert(call.tool.clone()) {
            log::task_not_run(&call.tool, &call.task_id, &format!("{reason}; it is left to other workers"));
        }
    }

    /// Runs a call and returns its end, or the reason why this worker cannot run the call.
    async fn end(&self, call: &StoredCall, attempt: u32, monitor: &dyn TaskMonitor) -> Result<TaskEnd, String> {
        let version = &call.protocol_version;
        let version =
            version.parse().map_err(|_| format!("this worker does not know the protocol version {version}"))?;
        let target = self.dispatcher.target(&call.tool).ok_or("this worker has no such tool")?;
        let mut cancelled = monitor.cancelled();
        let is_cancelled = std::future::poll_fn(|cx| Poll::Ready(cancelled.as_mut().poll(cx).is_ready())).await;
        // An earlier worker may have died after a tool with `once` had already acted. Then the call does not end as
        // cancelled, but with an error that says that its outcome is unknown.
        let may_have_acted = attempt > 1 && target.entry.metadata.once.is_some() && !target.is_repeatable();
        if is_cancelled && !may_have_acted {
            return Ok(TaskEnd::Cancelled(None));
        }
        if attempt > 1 && !(target.is_repeatable() && attempt <= self.max_attempts) {
            let call_id = CallId::new(&*call.call_id).unwrap_or_else(|_| CallId::generate());
            self.record(call, &target, attempt).end_as(Outcome::Cancelled, Some(OUTCOME_UNKNOWN));
            let response = CallToolResponse::not_run(call_id, interrupted(target.entry.name()), target.format());
            return Ok(self.dispatcher.end_of(&Ok(response), version));
        }
        let (reports, mut last_report) = watch::channel(String::new());
        // No client is waiting, so heartbeats have nothing to keep alive.
        let sink: ProgressSink = Arc::new(move |progress| {
            if !progress.is_heartbeat {
                reports.send_replace(status_message(&progress));
            }
        });
        let mut prepared = self.prepare(call, target, version, sink)?;
        prepared.record = self.record(call, &target, attempt);
        if let Some(record) = prepared.record.get() {
            record.set_context(&prepared.cx);
        }
        // A stored call of a tool with `once` must not look for an earlier, identical call: it would find itself.
        prepared.target.is_once = false;
        let if_stopped = self.dispatcher.if_stopped(&target, &prepared.cx);
        let mut work = pin!(self.dispatcher.run(&mut prepared));
        let finished = loop {
            tokio::select! {
                biased;
                finished = &mut work => break Some(finished),
                Ok(()) = last_report.changed() => monitor.progress(last_report.borrow_and_update().clone()),
                () = &mut cancelled => break None,
            }
        };
        Ok(match finished {
            None => IfStopped::apply(if_stopped, TaskEnd::Cancelled(None)),
            Some(Err(DispatchError::MissingExtension { type_name })) => {
                not_run(call, &format!("it needs the extension `{type_name}`, which `task_context` does not restore"))
            }
            Some(ended) => self.dispatcher.end_of(&ended, version),
        })
    }

    fn prepare<'d>(
        &'d self,
        call: &'d StoredCall,
        target: Target<'d>,
        version: ProtocolVersion,
        progress: ProgressSink,
    ) -> Result<PreparedCall<'d, 'd>, String> {
        let mut extensions = Extensions::new();
        if let Some(saved) = &call.context {
            let context = self.dispatcher.inner.tasks.context.as_ref();
            let context = context.ok_or("this worker has no `task_context` that could restore its extensions")?;
            let restored = catch(|| (context.restore)(saved.clone(), &mut extensions));
            restored
                .ok_or("`task_context` panicked")?
                .map_err(|error| format!("`task_context` cannot read what it saved: {error}"))?;
        }
        attach_task(&mut extensions, call);
        let request = (!target.entry.metadata.middlewares.is_empty()).then(|| {
            let request = CallToolRequest::new(target.entry.name(), call.arguments.clone());
            let mut request = request.with_protocol_version(version);
            request.extensions = extensions.clone();
            Box::new(request)
        });
        let parts = ContextParts {
            call_id: CallId::new(&*call.call_id).ok(),
            meta: None,
            extensions,
            protocol_version: version,
            progress: None,
            parent: None,
        };
        let mut cx = self.dispatcher.context(&target, parts);
        cx.state = OnceLock::from(Arc::new(CallState::of_task(progress)));
        let arguments = request.is_none().then(|| target.document(Some(&call.arguments)));
        Ok(PreparedCall { target, cx, request, arguments, record: OpenRecord::default() })
    }

    /// Opens the record of one run of a stored call.
    fn record(&self, call: &StoredCall, target: &Target<'_>, attempt: u32) -> OpenRecord {
        let mut record = self.dispatcher.open_record(Carrier::Worker);
        if let Some(record) = record.get() {
            record.set_tool(target.entry.recorded.as_ref());
            target.fill_arguments(record, Sent::Value(Some(&call.arguments)));
            record.call_id = CallId::new(&*call.call_id).ok();
            record.more().task_id = Some(call.task_id.clone());
            record.attempt = attempt;
        }
        record.set_principal(call.principal.clone());
        record
    }
}

/// Returns the error for a call whose outcome is not known, because its worker stopped before the end.
pub(super) fn interrupted(tool: &str) -> ToolError {
    let error = ToolError::new(format!(
        "the outcome of `{tool}` is not known: the process that ran it stopped before the end. Check what has been done \
         before you call it again"
    ));
    error.with_code(OUTCOME_UNKNOWN)
}
