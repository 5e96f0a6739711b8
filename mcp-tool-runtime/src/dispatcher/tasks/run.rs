//! Runs calls that may become tasks, and finds and cancels the tasks of a caller (feature `tasks`).

use std::sync::{Arc, OnceLock};
use std::task::Poll;
use std::time::{Duration, SystemTime};

use super::super::run::{PreparedCall, Target};
use super::super::span::CallSpan;
use super::once::{Ended, not_run};
use super::service::{TaskService, too_many};
use super::{Dispatcher, TaskAnswer, TaskError};
use crate::call::CallState;
use crate::call::catch_panic::{catch, sleep};
use crate::json::tape::Tape;
use crate::operations::Outcome;
use crate::tasks::{LastReport, Snapshot, StoredCall, TaskEngine};
use crate::{BoxFuture, Extensions, ToolError};

impl Dispatcher {
    pub(crate) fn has_tasks(&self) -> bool {
        self.inner.tasks.service.is_some()
    }

    /// Runs a call that may become a task.
    pub(crate) async fn run_as_task<'d>(&'d self, mut call: PreparedCall<'d, '_>) -> Result<TaskAnswer, TaskError> {
        // Without a tokio runtime, nothing could continue the call after the client has got the task. If the author's
        // `principal` function panics, the task would have no known owner, so nobody could ask for it. In both cases,
        // the call runs without becoming a task.
        let has_runtime = tokio::runtime::Handle::try_current().is_ok();
        let principal = self.settings().ask.task_principal(&call.cx.extensions);
        if let (Some(tasks), true, Ok(principal)) = (&self.inner.tasks.service, has_runtime, principal) {
            return match &tasks.settings.engine {
                None => self.run_in_memory(tasks, principal, call).await,
                Some(engine) => Box::pin(self.run_on_engine(tasks, engine, principal, call)).await,
            };
        }
        Ok(TaskAnswer::Ended(Box::pin(self.run(&mut call)).await?))
    }

    async fn run_in_memory(
        &self,
        TaskService { settings, memory, .. }: &TaskService,
        principal: Option<String>,
        mut call: PreparedCall<'_, '_>,
    ) -> Result<TaskAnswer, TaskError> {
        let version = call.cx.protocol_version;
        let reservation = match memory.reserve(principal.as_deref()) {
            Ok(reservation) => reservation,
            Err(wait) => return Ok(refused(&mut call, too_many(wait))),
        };
        let report = LastReport::new(call.cx.state.get().and_then(|state| state.sink()));
        // The timeout of a task does not include the wait for a permit (see `of_task`). A call that may still ask the
        // user cannot become a task while it waits for a permit, and its client waits too, so its timeout includes that
        // wait.
        let asks = call.target.entry.questions.is_some();
        let state =
            Arc::new(if asks { CallState::new(Some(report.sink())) } else { CallState::of_task(report.sink()) });
        call.cx.state = OnceLock::from(Arc::clone(&state));
        let mut running = self.own(call);
        let mut timer = None;
        let finished = std::future::poll_fn(|cx| {
            if let Poll::Ready(finished) = running.as_mut().poll(cx) {
                return Poll::Ready(Some(finished));
            }
            if timer.is_none() && state.has_begun() {
                // If tokio has no timer, the client waits for the result.
                timer = sleep(settings.answer_within).map(Box::pin);
            }
            match &mut timer {
                Some(timer) => timer.as_mut().poll(cx).map(|()| None),
                None => Poll::Pending,
            }
        });
        if let Some(finished) = finished.await {
            return Ok(TaskAnswer::Ended(finished?));
        }
        let Some(id) = new_task_id() else { return Ok(TaskAnswer::Ended(running.await?)) };
        let _ = state.task_id.set(id.clone());
        let dispatcher = self.clone();
        reservation.start(&id, report, |task| {
            tokio::spawn(async move { task.end(dispatcher.end_of(&running.await, version)) }).abort_handle()
        });
        let snapshot = memory.get(&id, principal.as_deref()).ok_or(TaskError::Unknown)?;
        Ok(TaskAnswer::Task(snapshot))
    }

    /// Returns a future that runs the call and borrows nothing. Dropping the future cancels the call.
    pub(super) fn own(&self, call: PreparedCall<'_, '_>) -> BoxFuture<'static, Ended> {
        let PreparedCall { target, cx, request, arguments, record } = call;
        let (dispatcher, index, former) = (self.clone(), target.entry.index, target.former.cloned());
        let arguments = arguments.map(|arguments| arguments.map(Tape::into_owned));
        Box::pin(async move {
            // This future runs the call itself, so it must not look for an earlier, identical call again.
            let target = Target { former: former.as_ref(), is_once: false, ..dispatcher.target_at(index) };
            let mut call = PreparedCall { target, cx, request, arguments, record };
            dispatcher.run(&mut call).await
        })
    }

    async fn run_on_engine<'d>(
        &'d self,
        tasks: &TaskService,
        engine: &Arc<dyn TaskEngine>,
        principal: Option<String>,
        mut call: PreparedCall<'d, '_>,
    ) -> Result<TaskAnswer, TaskError> {
        // Do not store a call that is expected to fail before its tool runs: run it here, so that the client gets the
        // usual error.
        if call.checked_arguments().is_none() {
            return Ok(TaskAnswer::Ended(self.run(&mut call).await?));
        }
        let span = CallSpan::new(&call.cx);
        let stored = async { tasks.submit(engine, self.stored_call(tasks, principal, &call)?).await };
        let stored = span.instrument(stored).await;
        span.record_stored(&call.cx, stored.as_ref().map(|task| task.as_ref().ok().map(|task| &*task.id)));
        match stored {
            Ok(task) => {
                // Record the call as queued even if a worker has already ended it with an error, but not if the engine
                // has lost it.
                let is_lost = matches!(task, Err(TaskError::Unavailable));
                call.record.set_task(task.as_ref().ok().map(|task| &*task.id));
                call.record.end(if is_lost { Outcome::Masked } else { Outcome::Queued });
                task.map(TaskAnswer::Task)
            }
            Err(error) => Ok(refused(&mut call, error)),
        }
    }

    /// Returns what an engine stores of a call.
    pub(super) fn stored_call(
        &self,
        tasks: &TaskService,
        principal: Option<String>,
        call: &PreparedCall<'_, '_>,
    ) -> Result<StoredCall, ToolError> {
        let PreparedCall { target, cx, request, arguments, .. } = call;
        let context = match &self.inner.tasks.context {
            None => None,
            Some(context) => {
                let saved = catch(|| (context.save)(cx.extensions())).ok_or_else(|| "it panicked".to_owned());
                let saved = saved.and_then(|saved| saved.map_err(|error| error.to_string()));
                saved.map_err(|reason| {
                    ToolError::masked(format!("`task_context` cannot save the extensions: {reason}"))
                })?
            }
        };
        let task_id = new_task_id().ok_or_else(|| ToolError::masked("the system has no random numbers".to_owned()))?;
        let arguments = match (request, arguments) {
            (Some(request), _) => request.arguments.clone(),
            (None, Some(Ok(document))) => Some(document.root().to_value()),
            (None, _) => None,
        };
        let former = target.former.and_then(|format| format.former_name.as_deref());
        let traceparent = cx.meta().get("traceparent").and_then(serde_json::Value::as_str);
        Ok(StoredCall {
            task_id,
            // Store the name that the client used, because a worker of the previous version knows a renamed tool only
            // by its former name.
            tool: former.unwrap_or(target.entry.name()).to_owned(),
            arguments: arguments.unwrap_or_else(|| serde_json::json!({})),
            protocol_version: cx.protocol_version.as_str().to_owned(),
            call_id: cx.call_id.as_str().to_owned(),
            traceparent: traceparent.filter(|text| is_traceparent(text)).map(str::to_owned),
            principal,
            context,
            created_at: SystemTime::now(),
            keep_for: tasks.settings.keep_for,
        })
    }

    /// Returns the task with this id, if it belongs to the caller.
    pub(crate) async fn find_task(&self, id: &str, extensions: &Extensions) -> Result<Snapshot, TaskError> {
        let (tasks, principal) = self.tasks_of(extensions)?;
        match &tasks.settings.engine {
            None => tasks.memory.get(id, principal.as_deref()).ok_or(TaskError::Unknown),
            Some(engine) => tasks.find(engine, id, principal.as_deref()).await,
        }
    }

    /// Cancels the task with this id, if it belongs to the caller.
    pub(crate) async fn cancel_task(&self, id: &str, extensions: &Extensions) -> Result<(), TaskError> {
        let (tasks, principal) = self.tasks_of(extensions)?;
        let Some(engine) = &tasks.settings.engine else {
            return if tasks.memory.cancel(id, principal.as_deref()) { Ok(()) } else { Err(TaskError::Unknown) };
        };
        tasks.find(engine, id, principal.as_deref()).await?;
        Ok(engine.cancel(id).await?)
    }

    /// Returns the task service, and the principal of a request.
    fn tasks_of(&self, extensions: &Extensions) -> Result<(&TaskService, Option<String>), TaskError> {
        let tasks = self.inner.tasks.service.as_ref().ok_or(TaskError::Unknown)?;
        let principal = self.settings().ask.task_principal(extensions).map_err(|_| TaskError::Unknown)?;
        Ok((tasks, principal))
    }

    /// Waits for the tasks that run in this process, but no longer than `at_most`, and then cancels those that are
    /// still running (feature `tasks`).
    ///
    /// `stdio::serve` does so before it returns. Call this method after an HTTP server has stopped accepting requests.
    /// Tasks of an engine are not affected: its [`Worker`](crate::dispatcher::Worker) finishes them. Calls to tools
    /// with `once` are an exception: they run in this process, so this method waits for them too, but does not cancel
    /// them.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mcp_tool_runtime::{Dispatcher, Tasks};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), mcp_tool_runtime::BuildError> {
    /// let dispatcher = Dispatcher::builder().tasks(Tasks::in_memory()).build()?;
    /// dispatcher.finish_tasks(Duration::from_secs(10)).await;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn finish_tasks(&self, at_most: Duration) {
        if let Some(tasks) = &self.inner.tasks.service {
            tasks.memory.finish(at_most, "the server was shut down").await;
            if let Some(once) = tasks.once.get() {
                once.finish(at_most).await;
            }
        }
    }
}

impl PreparedCall<'_, '_> {
    /// Returns the arguments in the form that the tool reads. Returns `None` if the call is expected to fail before its
    /// tool runs, because its arguments are wrong or an extension is missing.
    pub(super) fn checked_arguments(&self) -> Option<Tape<'_>> {
        let Self { target, cx, request, arguments, .. } = self;
        let mut document = match (request, arguments) {
            (_, Some(Err(_))) => return None,
            (Some(request), _) => target.document(request.arguments.as_ref()).ok()?,
            (None, Some(Ok(document))) => document.clone(),
            (None, None) => Tape::empty(),
        };
        let checked = target.entry.check_arguments(target.tool, &mut document, cx.extensions());
        let lacks_extension = target.entry.metadata.extensions.iter().any(|need| !(need.is_met)(cx.extensions()));
        // If there is a `request`, the tool has middlewares. One of them may still correct the arguments, or attach an
        // extension.
        (request.is_some() || checked.is_ok() && !lacks_extension).then_some(document)
    }
}

/// Returns the answer to a call that does not run, for example because there are too many tasks or the engine fails.
fn refused(call: &mut PreparedCall<'_, '_>, error: ToolError) -> TaskAnswer {
    let outcome = if error.retry_after_ms().is_some() { Outcome::Limited } else { Outcome::Masked };
    TaskAnswer::Ended(not_run(call, error, outcome))
}

/// Returns `true` for a W3C `traceparent`, such as `00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01`.
fn is_traceparent(text: &str) -> bool {
    let is_hexadecimal = |part: &str| part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    text.split('-').map(str::len).eq([2, 32, 16, 2]) && text.split('-').all(is_hexadecimal)
}

/// Returns a new id: 32 hexadecimal digits of 128 random bits. Returns `None` if the system has no random numbers.
pub(super) fn new_task_id() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(uuid::Uuid::from_bytes(bytes).simple().to_string())
}
