//! Calls to tools with `once` (feature `tasks`). The *act* of such a call is what the call does. It runs as a task. The
//! id of this task is derived from the caller, the tool, the arguments and the idempotency key, so that an identical
//! call finds the same task.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tokio::sync::oneshot;

use super::super::run::{PreparedCall, Target};
use super::super::span::CallSpan;
use super::Dispatcher;
use super::once_runner::{OnceRunner, OwnAct};
use super::replay::{id_of, is_kept};
use super::service::{TaskService, too_many};
use super::worker::interrupted;
use crate::call::{IdempotencyKey, catch_panic::sleep};
use crate::operations::Outcome;
use crate::output::error_kind::{OUTCOME_UNKNOWN, RESULT_LOST, ToolErrorKind};
use crate::tasks::{Claim, IfStopped, StoredCall, TaskEnd, TaskEngine, TaskRecord, TaskState};
use crate::tool::argument_changes::behind_shapes;
use crate::{
    Arguments, BoxFuture, CallContext, CallToolResponse, DispatchError, Output, ProtocolVersion, ToolError,
    ToolHandler, ToolMetadata, mcp,
};

/// The name of the argument that is added to the input schema of a tool with `once`.
const KEY: &str = "idempotency_key";

/// How long a call waits for an engine to store its result. This is shorter than a lease, because another process may
/// take over the act when the lease has expired.
const STORED_WITHIN: Duration = Duration::from_secs(10);

pub(super) type Ended = Result<CallToolResponse, DispatchError>;

/// Adds the argument `idempotency_key` to the input schema of a tool with `once`. Returns `false` and changes nothing
/// if the tool has no `once`, or if the schema is written by hand, is a union, or already has an argument with this
/// name.
pub(in super::super) fn publish(tool: &mut mcp::Tool, metadata: &ToolMetadata) -> bool {
    let is_plain = metadata.once.is_some() && metadata.has_derived_input && !metadata.root_union;
    let properties = tool.input_schema.get_mut("properties").and_then(Value::as_object_mut).filter(|_| is_plain);
    let Some(properties) = properties.filter(|properties| !properties.contains_key(KEY)) else { return false };
    let text = "Leave it out. The same call within some minutes is not repeated, and gets the first result. Only to do the same \
                thing again on purpose, send a new text.";
    let schema = serde_json::json!({ "description": text, "type": "string" });
    properties.insert(KEY.to_owned(), schema);
    true
}

/// A wrapper that removes the argument `idempotency_key` from each call, because the wrapped tool does not know it.
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

/// What identifies the act of a call, and how long the result of the act is kept.
struct Act {
    id: String,
    principal: Option<String>,
    /// The arguments without `idempotency_key`. An absent argument is included with its default, if it has one.
    arguments: Value,
    within: Duration,
}

impl Dispatcher {
    /// Runs a call to a tool with `once`, or returns the result of an earlier, identical call.
    ///
    /// The act outlasts the request: a client that has given up can call again, and then gets the result.
    pub(in super::super) fn run_once<'a>(&'a self, call: &'a mut PreparedCall<'_, '_>) -> BoxFuture<'a, Ended> {
        call.target.is_once = false;
        Box::pin(async move {
            call.record.wait();
            let act = match self.act_of(call) {
                Ok(Some(act)) => act,
                // The call is expected to fail before its tool runs, so there is no act to record or to protect from
                // repetition.
                Ok(None) => return self.run(call).await,
                Err(error) => return Ok(server_error(call, error)),
            };
            let Some(tasks) = &self.inner.tasks.service else { return self.run(call).await };
            match &tasks.settings.engine {
                None => self.act_in_memory(tasks, act, call).await,
                Some(engine) => self.act_on_engine(tasks, engine, act, call).await,
            }
        })
    }

    /// Returns the response to an earlier, identical call. Returns `None` if the earlier call has no result, for
    /// example because it ended with a question or a protocol error. This call may then run.
    fn answer_with(&self, call: &mut PreparedCall<'_, '_>, end: &TaskEnd) -> Option<CallToolResponse> {
        // If `is_kept` is true for this end, identical calls must not run. So if the stored result cannot be read, this
        // call fails with an unknown outcome.
        self.replay(call, end).or_else(|| is_kept(end).then(|| unknown(call)))
    }

    /// Returns the act of a call. Returns `None` if the call is expected to fail before its tool runs.
    fn act_of(&self, call: &PreparedCall<'_, '_>) -> Result<Option<Act>, ToolError> {
        let PreparedCall { target, cx, .. } = call;
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(ToolError::masked("`once` needs a tokio runtime, and the call runs without one".to_owned()));
        }
        let Some(document) = call.checked_arguments() else { return Ok(None) };
        let principal = self.settings().ask.task_principal(cx.extensions());
        let principal = principal.map_err(|_| ToolError::masked("`principal` panicked".to_owned()))?;
        self.settings().ask.warn_of_shared_acts(cx.extensions());
        let schema = &target.tool.input_schema;
        let mut arguments = Arguments::new(&document, schema).canonical(&target.entry.nullable);
        let own_key = arguments.as_object_mut().and_then(|arguments| arguments.remove(KEY));
        let key = own_key.as_ref().and_then(Value::as_str).filter(|key| !key.is_empty());
        let key = key.or_else(|| cx.extensions().get::<IdempotencyKey>().map(|key| &*key.0));
        let read = match &*target.entry.metadata.argument_changes {
            [] => arguments.to_string(),
            changes => {
                behind_shapes(changes, &arguments, schema, cx.extensions()).map_err(|error| no_act(&error))?.to_string()
            }
        };
        let id = id_of(&[principal.as_deref(), Some(target.entry.name()), Some(&read), key]);
        Ok(Some(Act { id, principal, arguments, within: target.entry.metadata.once.unwrap_or_default() }))
    }

    async fn act_in_memory(&self, tasks: &TaskService, act: Act, call: &mut PreparedCall<'_, '_>) -> Ended {
        let Act { id, principal, within, .. } = &act;
        loop {
            match tasks.memory.claim(id, principal.as_deref(), *within, is_kept) {
                Claim::Mine(task) => {
                    let (send, receive) = oneshot::channel();
                    let OwnAct { run, if_stopped } = self.own_act(call, id, send);
                    task.start(if_stopped, |task| tokio::spawn(async move { task.end(run.await) }).abort_handle());
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
            Err(error) => return Ok(server_error(call, error)),
        };
        let (mut replaced, mut is_lost) = (None, false);
        loop {
            if is_lost && !matches!(engine.get(&act.id).await, Ok(Some(_))) {
                return Ok(unknown(call));
            }
            // Open the offer before the call is stored: the worker of this process may find the stored call before
            // `submit_to` returns, and then looks for an offer.
            if let Some(offer) = runner.offers.open(&act.id) {
                match engine.submit_to(stored.clone(), &runner.name, replaced.as_ref()).await {
                    Ok(true) if !is_lost => {
                        let (send, receive) = oneshot::channel();
                        offer.take(self.own_act(call, &act.id, send));
                        if let Ok(ended) = receive.await {
                            return when_stored(engine, &act.id, ended, call).await;
                        }
                        // The act was cancelled, or another worker considered this process dead and took over the call.
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
                Some(TaskState::Ended(end)) => {
                    // If the act had ended before this call waited for it, and identical calls do not get its end (see
                    // `is_kept`), the act may be tried again.
                    let is_old = was_ended && !is_kept(&end);
                    match if is_old { None } else { self.answer_with(call, &end) } {
                        Some(response) => return Ok(response),
                        None if is_lost => return Ok(unknown(call)),
                        None => replaced = Some(end),
                    }
                }
                // The act is running, or its worker has died. In the second case, this process can take over the act in
                // the next iteration.
                Some(TaskState::Working(_)) => {}
                // The act is not stored yet: another call in this process is probably storing it right now.
                None => {
                    if let Some(pause) = sleep(Duration::from_millis(20)) {
                        pause.await;
                    }
                }
            }
        }
    }

    /// Returns the call in a form that borrows nothing. Its future sends the response through `send`, and returns the
    /// end of the task.
    fn own_act(&self, call: &mut PreparedCall<'_, '_>, id: &str, send: oneshot::Sender<Ended>) -> OwnAct {
        let _ = call.cx.call_state().task_id.set(id.to_owned());
        let if_stopped = self.if_stopped(&call.target, &call.cx);
        let (dispatcher, format) = (self.clone(), Arc::clone(call.target.format()));
        // Leave out the former name, because identical calls that use another name of the tool get the same result.
        // Only the response to this call mentions the former name, through `format`.
        let running = self.own(PreparedCall {
            target: Target { former: None, ..call.target },
            cx: call.cx.clone(),
            request: call.request.take(),
            arguments: call.arguments.take(),
            record: std::mem::take(&mut call.record),
        });
        let run = Box::pin(async move {
            let ended = running.await;
            let end = dispatcher.end_of(&ended, ProtocolVersion::LATEST);
            let _ = send.send(ended.map(|mut response| {
                response.format = format;
                response
            }));
            end
        });
        OwnAct { run, if_stopped }
    }

    /// Returns how an act ends if it is stopped. Returns `None` if the tool has no `once`, or if its calls can be
    /// repeated.
    pub(super) fn if_stopped(&self, target: &Target<'_>, cx: &CallContext) -> Option<IfStopped> {
        if target.entry.metadata.once.is_none() || target.is_repeatable() {
            return None;
        }
        let error = interrupted(target.entry.name());
        let response = CallToolResponse::not_run(cx.call_id.clone(), error, target.format());
        let unknown = self.end_of(&Ok(response), ProtocolVersion::LATEST);
        let state = Arc::clone(cx.call_state());
        Some(IfStopped::new(move || state.has_begun(), unknown))
    }
}

impl Target<'_> {
    /// Marks an error of a tool with `once` if the act has happened or may have happened. An identical call then gets
    /// the same error instead of running.
    pub(in super::super) fn after_act(&self, error: ToolError, cx: &CallContext) -> ToolError {
        use ToolErrorKind::{InvalidResult, OverBudget, Panicked, TimedOut, TooLarge};
        if self.entry.metadata.once.is_none() {
            return error;
        }
        let name = self.entry.name();
        match error.kind() {
            InvalidResult | TooLarge(_) | OverBudget(_) => {
                let text = format!(
                    "`{name}` has done its work: only the result is lost, and the same call does not repeat the work."
                );
                error.with_code(RESULT_LOST).with_additional_prompt_content(text)
            }
            TimedOut | Panicked if !error.can_retry() && !self.is_repeatable() && cx.call_state().has_begun() => {
                let text =
                    format!("The outcome of `{name}` is not known. Check what has been done before you call it again.");
                error.with_code(OUTCOME_UNKNOWN).with_additional_prompt_content(text)
            }
            _ => error,
        }
    }
}

/// Waits until the result of the act is stored, and then returns the response. Without the wait, this process could
/// report a success and then die, and an identical call would learn that the outcome is not known. If the result is not
/// stored in time, a success becomes an error.
async fn when_stored(engine: &Arc<dyn TaskEngine>, id: &str, ended: Ended, call: &PreparedCall<'_, '_>) -> Ended {
    let stored = async {
        while let Err(_) | Ok(Some(TaskRecord { state: TaskState::Working(_), .. })) =
            engine.wait(id, STORED_WITHIN).await
        {
            if let Some(pause) = sleep(Duration::from_millis(100)) {
                pause.await;
            }
        }
    };
    let Some(too_late) = sleep(STORED_WITHIN) else { return ended };
    tokio::select! {
        biased;
        () = stored => return ended,
        () = too_late => {}
    }
    if !ended.as_ref().is_ok_and(CallToolResponse::is_success) {
        return ended;
    }
    let text = format!(
        "`{}` has done its work, but its result could not be stored yet. The same call does not repeat the work, and \
         may succeed later",
        call.target.entry.name()
    );
    let error = ToolError::new(text).with_code(RESULT_LOST).with_can_retry(true);
    Ok(CallToolResponse::not_run(call.cx.call_id.clone(), error, call.target.format()))
}

/// Returns the error for a call whose act cannot be identified before the middlewares run.
fn no_act(error: &ToolError) -> ToolError {
    let reason = error.developer_message().unwrap_or(error.message());
    ToolError::masked(format!("{reason} (a tool with `once` needs it before the middlewares run)"))
}

/// Ends the record of a call that does not run, and returns the response.
pub(super) fn not_run(call: &mut PreparedCall<'_, '_>, error: ToolError, outcome: Outcome) -> CallToolResponse {
    call.record.end_as(outcome, error.code());
    let error = error.for_caller(call.target.entry.name(), call.cx.call_id.as_str());
    CallToolResponse::not_run(call.cx.call_id.clone(), error, call.target.format())
}

/// Ends a call that cannot run because of an error in the server, and logs the error.
fn server_error(call: &mut PreparedCall<'_, '_>, error: ToolError) -> CallToolResponse {
    CallSpan::new(&call.cx).record_result(&call.cx, &Err(error.clone()));
    not_run(call, error, Outcome::Masked)
}

/// Ends the record of a call whose outcome is not known, and returns the response.
fn unknown(call: &mut PreparedCall<'_, '_>) -> CallToolResponse {
    not_run(call, interrupted(call.target.entry.name()), Outcome::Cancelled)
}
