//! Runs a prepared call: permit, middlewares, argument check, tool, output check.

use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Dispatcher;
use super::span::CallSpan;
use super::tool_entry::ToolEntry;
#[cfg(feature = "tokio")]
use super::{heartbeat, timeout};
use crate::arguments::{check_deadline, now, type_error};
use crate::ask::consent;
use crate::ask::in_place::HeldPermit;
use crate::call::ResultFormat;
use crate::call::catch_panic::CatchPanic;
use crate::call::permit::{self, Permit, Semaphore};
use crate::json::reader;
use crate::json::tape::Tape;
use crate::json::violation::Violation;
use crate::json::writer::json_length;
use crate::mcp::params::check_length;
use crate::operations::OpenRecord;
use crate::output::error_kind::ToolErrorKind;
use crate::tool::middleware::LayeredTool;
use crate::{
    Arguments, BoxFuture, CallContext, CallToolRequest, CallToolResponse, DispatchError, Next, Output, ToolError, mcp,
};

/// A call that is ready to run, with its tool, its context and its arguments.
pub(crate) struct PreparedCall<'d, 'p> {
    pub(super) target: Target<'d>,
    pub(super) cx: CallContext,
    /// The request that the middlewares get. `None` if there are no middlewares.
    pub(super) request: Option<Box<CallToolRequest>>,
    /// The arguments, or what is wrong with them if they could not be read. `None` if there are none. If there are
    /// middlewares, the arguments are read from `request` instead.
    pub(super) arguments: Option<Result<Tape<'p>, Box<Violation>>>,
    pub(crate) record: OpenRecord,
}

impl Dispatcher {
    /// Runs a call. Every call takes this path, whatever transport it arrived on.
    pub(crate) async fn run(&self, call: &mut PreparedCall<'_, '_>) -> Result<CallToolResponse, DispatchError> {
        #[cfg(feature = "tasks")]
        if call.target.is_once {
            return self.run_once(call).await;
        }
        let PreparedCall { target, cx, request, arguments, record } = call;
        let (target, cx) = (&*target, &*cx);
        let started = OnceLock::new();
        let end_on_drop = EndOnDrop { cx, started: &started, record };
        let result = {
            let work = pin!(async {
                let queued = cx.state.get().filter(|state| state.queued().is_none()).map(|state| (state, now()));
                let _held = match &self.inner.semaphore {
                    Some(semaphore) => {
                        // Do this first, so that the call can become a task while it waits for a permit.
                        if target.entry.metadata.task.is_some() {
                            target.begin(cx);
                        }
                        // Boxed, so that the futures of calls without a limit stay small.
                        let permit = Box::pin(permit(semaphore, cx)).await;
                        // While the call waits for an answer from the user, it gives its permit back.
                        Some(HeldPermit::new(cx, semaphore, permit))
                    }
                    None => None,
                };
                if let Some((state, since)) = queued {
                    state.leave_queue(since);
                }
                let _ = started.set(self.settings().now());
                let running = match request.as_deref_mut() {
                    // A middleware may change the arguments, so they are read only when the last middleware has passed
                    // them on.
                    Some(request) => {
                        let violation = arguments.take().and_then(Result::err);
                        let next = Next { middlewares: &target.entry.metadata.middlewares, tool: target, violation };
                        CatchPanic::new(|| next.run(request, cx))
                    }
                    None => target.start(cx, arguments.get_or_insert_with(|| Ok(Tape::empty()))),
                };
                running?.await
            });
            let span = CallSpan::new(cx);
            let work = pin!(span.instrument(work));
            // Declared after `work`, so it is dropped first: a tool that is being dropped sees that its call was
            // cancelled.
            let mut cancel_on_drop = CancelOnDrop(Some(cx));
            #[cfg(not(feature = "tokio"))]
            let mut result = work.await;
            #[cfg(feature = "tokio")]
            let mut result = match (timeout::Limit::of(target.entry, cx), heartbeat::Heartbeat::of(target.entry, cx)) {
                (None, None) => work.await,
                // Boxed, so that the futures of calls without timers stay small.
                (limit, heartbeat) => {
                    let work = heartbeat::during(heartbeat, work);
                    let is_repeatable = || target.is_repeatable();
                    Box::pin(timeout::run(limit, target.entry, is_repeatable, cx, work, &started)).await
                }
            };
            if let Ok(output) = &mut result
                && let Err(error) = target.entry.check_output(target.tool, output, self.settings().max_result_bytes)
            {
                result = Err(error);
            }
            #[cfg(feature = "tasks")]
            let result = result.map_err(|error| target.after_act(error, cx));
            cancel_on_drop.0 = None;
            span.record_result(cx, &result);
            result
        };
        drop(end_on_drop);
        let duration = match (record.get(), started.get()) {
            (Some(record), _) => record.duration(),
            (None, Some(start)) => self.settings().duration(*start, self.settings().now(), cx.waited()),
            (None, None) => Duration::ZERO,
        };
        record.end_with(&result);
        let call_id = cx.call_id().clone();
        let result = match result {
            Ok(output) => Ok(output),
            Err(mut error) => {
                if let Some(type_name) = error.missing_extension() {
                    return Err(DispatchError::MissingExtension { type_name });
                }
                if error.kind() == ToolErrorKind::MissingCapability {
                    return Err(DispatchError::MissingCapability);
                }
                error.limit_data(self.settings().max_result_bytes);
                Err(error.for_caller(target.entry.name(), call_id.as_str()))
            }
        };
        Ok(CallToolResponse::new(call_id, duration, result, target.format()))
    }
}

/// The number of values and keys above which the check of the arguments may take milliseconds.
const LARGE: usize = 4_096;

/// Returns the permit of a call. A nested call shares the permit of the call that started it, so it never waits for the
/// very call that is waiting for it.
async fn permit(semaphore: &Arc<Semaphore>, cx: &CallContext) -> Arc<Permit> {
    let permit = match cx.parent.as_ref().and_then(|parent| parent.state.permit()) {
        Some(permit) => permit,
        None => permit::acquire(semaphore).await,
    };
    cx.call_state().set_permit(permit)
}

/// A guard whose drop cancels the call, unless the guard is empty by then.
struct CancelOnDrop<'c>(Option<&'c CallContext>);

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        if let Some(cx) = self.0 {
            cx.call_state().cancel();
        }
    }
}

/// A guard that ends the call on drop. It must be dropped after the tool. The drop waits for a report that is being
/// sent, so that no report is sent after the end of the call.
struct EndOnDrop<'c> {
    cx: &'c CallContext,
    started: &'c OnceLock<Option<Instant>>,
    record: &'c mut OpenRecord,
}

impl Drop for EndOnDrop<'_> {
    #[inline]
    fn drop(&mut self) {
        // Without a state, nobody can report progress or wait for the end.
        if let Some(state) = self.cx.state.get() {
            state.end();
        }
        if self.record.is_open() {
            self.record.stop(self.cx, self.started.get().copied());
        }
    }
}

/// The tool that a call names, and what is needed to run it.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(super) entry: &'a ToolEntry,
    pub(super) tool: &'a mcp::Tool,
    /// The format of the result, if the tool was called by a former name.
    pub(super) former: Option<&'a Arc<ResultFormat>>,
    /// Whether the call may be answered with the result of an earlier, identical call.
    #[cfg(feature = "tasks")]
    pub(super) is_once: bool,
}

impl<'a> Target<'a> {
    pub(super) fn format(&self) -> &'a Arc<ResultFormat> {
        self.former.unwrap_or(&self.entry.shared.format)
    }

    /// Returns `true` if the author's hints say that the call can be repeated: `idempotent_hint` is `true`, or it is
    /// not set and `read_only_hint` is `true`.
    pub(super) fn is_repeatable(&self) -> bool {
        let hints = self.tool.annotations.as_ref();
        hints.is_some_and(|hints| hints.idempotent_hint.or(hints.read_only_hint) == Some(true))
    }

    /// Reads the arguments of a request into a document, and checks their length.
    pub(super) fn document<'d>(&self, arguments: Option<&'d Value>) -> Result<Tape<'d>, Box<Violation>> {
        let Some(value) = arguments.filter(|value| !value.is_null()) else { return Ok(Tape::empty()) };
        let document = reader::read_value(value)?;
        let limit = self.entry.shared.format.settings.max_argument_bytes;
        // Counting the exact bytes costs as much as writing a result, so count only if the upper bound exceeds the
        // limit.
        if document.max_json_bytes() > limit {
            check_length(json_length(value), limit)?;
        }
        Ok(document)
    }

    /// Notes that the tool's own work begins, unless the tool may still ask the user. If the tool has `task`, the call
    /// can become a task from now on.
    fn begin(&self, cx: &CallContext) {
        if self.entry.questions.is_none() {
            cx.begin();
        }
    }

    /// Checks that the needed extensions are attached. Then checks the arguments, brings them into the form that the
    /// tool reads, and creates the tool's future.
    fn start<'c>(
        self,
        cx: &'c CallContext,
        arguments: &'c mut Result<Tape<'_>, Box<Violation>>,
    ) -> Result<CatchPanic<'c, Output>, ToolError>
    where
        Self: 'c,
    {
        if let Some(need) = self.entry.metadata.extensions.iter().find(|need| !(need.is_met)(cx.extensions())) {
            return Err(ToolError::for_missing_extension((need.type_name)()));
        }
        let document =
            arguments.as_mut().map_err(|violation| type_error::invalid_arguments(std::slice::from_ref(violation)))?;
        self.entry
            .check_arguments(self.tool, document, cx.extensions())
            .map_err(|violations| type_error::invalid_arguments(&violations))?;
        check_deadline(cx.deadline())?;
        self.begin(cx);
        let is_large = document.slots_from(0).len() > LARGE;
        let question =
            |index| (index, consent::question(self.tool, &document.root().to_value(), self.entry.cursor.as_deref()));
        let consent = self.entry.consent().map(question);
        let arguments = Arguments::new(document, &self.tool.input_schema);
        let call = move || self.entry.handler.call(cx, arguments);
        let mut tool = match consent {
            Some((index, question)) => CatchPanic::new(|| Box::pin(consent::run(cx, index, question, call)))?,
            None => CatchPanic::new(call)?,
        };
        if is_large {
            // Checking large arguments takes a long time. Yield once, so that a cancellation during the check takes
            // effect before the tool runs.
            tool.yield_first();
        }
        Ok(tool)
    }
}

impl LayeredTool for Target<'_> {
    fn call<'a>(
        &'a self,
        request: &'a mut CallToolRequest,
        cx: &'a CallContext,
        violation: Option<Box<Violation>>,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        Box::pin(async move {
            let cx = cx.with_extensions(std::mem::take(&mut request.extensions));
            let mut arguments = match violation {
                Some(violation) => Err(violation),
                None => self.document(request.arguments.as_ref()),
            };
            self.start(&cx, &mut arguments)?.await
        })
    }
}

debug_struct!(Target<'_>, target => name: target.entry.name());
