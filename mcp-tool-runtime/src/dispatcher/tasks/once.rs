//! Calls of tools with `once` (feature `tasks`): the act is a task whose id comes from the caller, the tool and the arguments, so the same
//! call finds it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

use super::super::run::PreparedCall;
use super::Dispatcher;
use super::replay::is_kept;
use super::replay::{id_of, make_canonical};
use super::run::new_task_id;
use super::service::{TaskService, sleep, too_many};
use super::worker::{StoredCalls, failed};
use crate::call::IdempotencyKey;
use crate::json::tape::Tape;
use crate::operations::Outcome;
use crate::output::error_kind::OUTCOME_UNKNOWN;
use crate::output::error_kind::ToolErrorKind;
use crate::tasks::{
    Claim, RunStored, StoredCall, TaskEnd, TaskEngine, TaskMonitor, TaskRunner, TaskState, WorkerSettings,
};
use crate::{
    Arguments, BoxFuture, CallContext, CallToolResponse, DispatchError, Output, ProtocolVersion, ToolError,
    ToolHandler, ToolMetadata, log, mcp,
};

/// The argument that a tool with `once` gains.
const KEY: &str = "idempotency_key";

type Ended = Result<CallToolResponse, DispatchError>;

/// Publishes the argument `idempotency_key`. A hand-written schema stays as it is, and so does an argument that the
/// author has given this name.
pub(in super::super) fn publish(tool: &mut mcp::Tool, metadata: &ToolMetadata) -> bool {
    let is_plain = metadata.once.is_some() && metadata.has_derived_input && !metadata.root_union;
    let properties = tool.input_schema.get_mut("properties").and_then(Value::as_object_mut).filter(|_| is_plain);
    let Some(properties) = properties.filter(|properties| !properties.contains_key(KEY)) else { return false };
    let text = "Leave it out. The same call within some minutes is not repeated, and gets the first result. Only to do the same \
                thing again on purpose, send a new text.";
    let schema = serde_json::json!({ "description": text, "type": "string", "minLength": 1, "maxLength": 256 });
    properties.insert(KEY.to_owned(), schema);
    true
}

/// Wraps a tool that does not know the argument `idempotency_key`.
pub(in super::super) struct OnceTool(pub(in super::super) Box<dyn ToolHandler>);

impl ToolHandler for OnceTool {
    fn definition(&self) -> mcp::Tool {
        self.0.definition()
    }

    fn metadata(&self) -> ToolMetadata {
        self.0.metadata()
    }

    fn call<'a>(&'a self, cx: &'a CallContext, arguments: Arguments<'a>) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let document = arguments.with_properties(|name| name != KEY);
            self.0.call(cx, arguments.with_document(&document)).await
        })
    }
}

/// The act of a call.
struct Act {
    id: String,
    principal: Option<String>,
    /// The arguments without the key, and with the defaults.
    arguments: Value,
    within: Duration,
}

impl Dispatcher {
    /// Runs a call of a tool with `once`, or answers with the result of the same call.
    ///
    /// The act outlasts the request: a client that has given up can call again, and then gets the result.
    pub(in super::super) fn run_once<'a>(&'a self, call: &'a mut PreparedCall<'_, '_>) -> BoxFuture<'a, Ended> {
        Box::pin(async move {
            let act = match self.act_of(call) {
                Ok(Some(act)) => act,
                // The arguments are wrong, so the call fails without changing anything.
                Ok(None) => return self.run_now(call).await,
                Err(error) => return Ok(not_run(call, error, Outcome::Masked)),
            };
            let Some(tasks) = &self.inner.tasks.service else { return self.run_now(call).await };
            match &tasks.settings.engine {
                None => self.act_in_memory(tasks, act, call).await,
                Some(engine) => self.act_on_engine(tasks, engine, act, call).await,
            }
        })
    }

    /// Returns the act of a call, or `None` if its arguments are wrong.
    fn act_of(&self, call: &PreparedCall<'_, '_>) -> Result<Option<Act>, ToolError> {
        let PreparedCall { target, cx, request, arguments, .. } = call;
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(ToolError::masked("`once` needs a tokio runtime, and the call runs without one".to_owned()));
        }
        let document = match (request, arguments) {
            (_, Some(Err(_))) => return Ok(None),
            (Some(request), _) => target.document(request.arguments.as_ref()).ok(),
            (None, Some(Ok(document))) => Some(document.clone()),
            (None, None) => Some(Tape::empty()),
        };
        let Some(mut document) = document else { return Ok(None) };
        let checked = target.entry.check_arguments(target.tool, &mut document, cx.extensions());
        // If there are middlewares, one of them may still correct the arguments.
        if checked.is_err() && request.is_none() {
            return Ok(None);
        }
        let principal = self.settings().ask.task_principal(cx.extensions());
        let principal = principal.map_err(|_| ToolError::masked("`principal` panicked".to_owned()))?;
        let mut arguments = document.root().to_value();
        let own_key = arguments.as_object_mut().and_then(|arguments| arguments.remove(KEY));
        let key = own_key.as_ref().and_then(Value::as_str);
        let key = key.or_else(|| cx.extensions().get::<IdempotencyKey>().map(|key| &*key.0));
        make_canonical(&mut arguments, &target.tool.input_schema);
        let id = id_of(&[principal.as_deref(), Some(target.entry.name()), Some(&arguments.to_string()), key]);
        Ok(Some(Act { id, principal, arguments, within: target.entry.metadata.once.unwrap_or_default() }))
    }

    async fn act_in_memory(&self, tasks: &TaskService, act: Act, call: &mut PreparedCall<'_, '_>) -> Ended {
        let Act { id, principal, within, .. } = &act;
        loop {
            match tasks.memory.claim(id, principal.as_deref(), *within, is_kept) {
                Claim::Mine(task) => {
                    let (send, receive) = oneshot::channel();
                    let run = self.own_act(call, id, send);
                    tokio::spawn(async move { task.end(run.await) });
                    return receive.await.unwrap_or_else(|_| Ok(unknown(call)));
                }
                Claim::Full(wait) => return Ok(not_run(call, too_many(wait), Outcome::Limited)),
                Claim::Known => {
                    let ended = tasks.memory.wait(id, principal.as_deref()).await.and_then(|snapshot| snapshot.end);
                    if let Some(response) = ended.and_then(|end| self.answer_with(call, &end)) {
                        return Ok(response);
                    }
                }
            }
        }
    }

    async fn act_on_engine(
        &self,
        tasks: &TaskService,
        engine: &Arc<dyn TaskEngine>,
        act: Act,
        call: &mut PreparedCall<'_, '_>,
    ) -> Ended {
        let runner = tasks.once.get_or_init(|| OnceRunner::start(self, tasks, engine));
        let stored = match self.stored_call(tasks, act.principal.clone(), call) {
            Ok(stored) => StoredCall {
                task_id: act.id.clone(),
                arguments: act.arguments,
                keep_for: act.within,
                protocol_version: ProtocolVersion::LATEST.as_str().to_owned(),
                created_at: SystemTime::now(),
                ..stored
            },
            Err(error) => return Ok(not_run(call, error, Outcome::Masked)),
        };
        let (mut replaced, mut is_lost) = (None, false);
        loop {
            if is_lost && !matches!(engine.get(&act.id).await, Ok(Some(_))) {
                return Ok(unknown(call));
            }
            // Offer the call first: this process's own worker may find it before `submit_to` returns.
            if let Some(offer) = runner.offers.open(&act.id) {
                match engine.submit_to(stored.clone(), &runner.name, replaced.as_ref()).await {
                    Ok(true) if !is_lost => {
                        let (send, receive) = oneshot::channel();
                        offer.take(self.own_act(call, &act.id, send));
                        if let Ok(ended) = receive.await {
                            return ended;
                        }
                        // Other workers considered this process dead and took the call over.
                        is_lost = true;
                    }
                    Ok(_) => drop(offer),
                    Err(error) => return Ok(not_run(call, TaskService::unavailable(&error), Outcome::Masked)),
                }
            }
            let waited = match engine.get(&act.id).await {
                Ok(Some(record)) if matches!(record.state, TaskState::Ended(_)) => Ok((Some(record), true)),
                Ok(_) => engine.wait(&act.id, Duration::from_secs(5)).await.map(|record| (record, false)),
                Err(error) => Err(error),
            };
            let (record, was_ended) = match waited {
                Ok(found) => found,
                Err(error) => return Ok(not_run(call, TaskService::unavailable(&error), Outcome::Masked)),
            };
            match record.map(|record| record.state) {
                // A failure from before this call may be tried again.
                Some(TaskState::Ended(end)) if was_ended && !is_kept(&end) => replaced = Some(end),
                Some(TaskState::Ended(end)) => match self.answer_with(call, &end) {
                    Some(response) => return Ok(response),
                    None => replaced = Some(end),
                },
                // It is running, or its worker has died. In the second case, the next round lets this process take it
                // over.
                Some(TaskState::Working(_)) => {}
                // Another call in this process is just storing it.
                None => {
                    if let Some(pause) = sleep(Duration::from_millis(20)) {
                        pause.await;
                    }
                }
            }
        }
    }

    /// Returns a future for the call that borrows nothing. It sends the response to the caller, and returns the end of
    /// the task.
    fn own_act(
        &self,
        call: &mut PreparedCall<'_, '_>,
        id: &str,
        send: oneshot::Sender<Ended>,
    ) -> BoxFuture<'static, TaskEnd> {
        let (cx, request, record) = (call.cx.clone(), call.request.take(), std::mem::take(&mut call.record));
        let _ = cx.call_state().task_id.set(id.to_owned());
        let arguments = call.arguments.take().map(|arguments| arguments.map(Tape::into_owned));
        let (dispatcher, index, format) = (self.clone(), call.target.entry.index, Arc::clone(call.target.format()));
        Box::pin(async move {
            let target = dispatcher.target_at(index);
            let mut call = PreparedCall { target, cx, request, arguments, record };
            let mut ended = dispatcher.run_now(&mut call).await;
            if let Ok(CallToolResponse { result: Err(error), .. }) = &mut ended
                && error.kind() == ToolErrorKind::TimedOut
                && !error.can_retry()
            {
                *error = error.clone().with_code(OUTCOME_UNKNOWN);
            }
            let end = match &ended {
                Ok(response) => dispatcher.completed(response, ProtocolVersion::LATEST),
                Err(error) => failed(error),
            };
            let _ = send.send(ended.map(|mut response| {
                response.format = format;
                response
            }));
            end
        })
    }
}

/// Ends a call that does not run.
fn not_run(call: &mut PreparedCall<'_, '_>, error: ToolError, outcome: Outcome) -> CallToolResponse {
    call.record.end(outcome);
    let error = error.for_caller(call.target.entry.name(), call.cx.call_id.as_str());
    CallToolResponse::not_run(call.cx.call_id.clone(), error, call.target.format())
}

/// The response to a call whose run was lost.
pub(super) fn unknown(call: &mut PreparedCall<'_, '_>) -> CallToolResponse {
    not_run(call, super::worker::interrupted(call.target.entry.name()), Outcome::Cancelled)
}

/// The calls that are being stored, each with a place for its future.
#[derive(Default)]
struct Offers(Mutex<HashMap<String, oneshot::Receiver<BoxFuture<'static, TaskEnd>>>>);

/// The place for the future of a call. The place is given up if the call is not stored, or if the client gives up in
/// the meantime. In the second case, the worker runs the call from its stored form.
struct Offer<'o> {
    offers: &'o Offers,
    id: &'o str,
    send: Option<oneshot::Sender<BoxFuture<'static, TaskEnd>>>,
}

impl Offers {
    /// Returns `None` if another call is storing the same act.
    fn open<'o>(&'o self, id: &'o str) -> Option<Offer<'o>> {
        let (send, receive) = oneshot::channel();
        let mut offers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if offers.contains_key(id) {
            return None;
        }
        offers.insert(id.to_owned(), receive);
        Some(Offer { offers: self, id, send: Some(send) })
    }

    fn close(&self, id: &str) -> Option<oneshot::Receiver<BoxFuture<'static, TaskEnd>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id)
    }
}

impl Offer<'_> {
    fn take(mut self, act: BoxFuture<'static, TaskEnd>) {
        if let Some(send) = self.send.take() {
            let _ = send.send(act);
        }
    }
}

impl Drop for Offer<'_> {
    fn drop(&mut self) {
        if self.send.is_some() {
            self.offers.close(self.id);
        }
    }
}

/// Runs the calls of tools with `once` that this process has stored in its engine, and no others.
pub(super) struct OnceRunner {
    name: String,
    offers: Arc<Offers>,
    stop: Arc<Notify>,
    worker: Mutex<Option<JoinHandle<()>>>,
}

impl OnceRunner {
    fn start(dispatcher: &Dispatcher, tasks: &TaskService, engine: &Arc<dyn TaskEngine>) -> Self {
        let (offers, stop) = (Arc::<Offers>::default(), Arc::<Notify>::default());
        let name = format!("once-{}", new_task_id().unwrap_or_else(|| crate::CallId::generate().to_string()));
        let max_attempts = tasks.settings.max_attempts;
        let stored = StoredCalls::new(dispatcher.clone(), max_attempts);
        let runner = TaskRunner::new(OnceCalls { offers: Arc::clone(&offers), stored });
        let settings = WorkerSettings { concurrency: 0, max_attempts, name: Some(name.clone()) };
        let (engine, stopped) = (Arc::clone(engine), Arc::clone(&stop));
        let worker = tokio::spawn(async move {
            let shutdown = Box::pin(async move { stopped.notified().await });
            if let Err(error) = engine.work(runner, settings, shutdown).await {
                log::engine_failed(&error.to_string());
            }
        });
        Self { name, offers, stop, worker: Mutex::new(Some(worker)) }
    }

    /// Waits for the running calls, but no longer than this.
    pub(super) async fn finish(&self, at_most: Duration) {
        self.stop.notify_one();
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(worker) = worker {
            let _ = tokio::time::timeout(at_most, worker).await;
        }
    }
}

struct OnceCalls {
    offers: Arc<Offers>,
    /// Runs a call whose process has died.
    stored: StoredCalls,
}

impl RunStored for OnceCalls {
    fn run<'a>(
        &'a self,
        call: &'a StoredCall,
        attempt: u32,
        monitor: &'a dyn TaskMonitor,
    ) -> BoxFuture<'a, Option<TaskEnd>> {
        Box::pin(async move {
            let offered = self.offers.close(&call.task_id);
            if let (Some(offered), 1) = (offered, attempt)
                && let Ok(act) = offered.await
            {
                return Some(act.await);
            }
            self.stored.run(call, attempt, monitor).await
        })
    }
}
