//! Runs a call that the SDK has received: sends its questions and its progress to the client, and may turn it into a
//! task.

use std::future::ready;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ::rmcp::model::{
    CallToolResult, CancelledNotificationParam, ClientResult, CreateTaskResult, CustomRequest, ElicitationAction,
    ErrorCode, ProgressNotificationParam, ProgressToken, RequestId, ServerRequest,
};
use ::rmcp::service::{PeerRequestOptions, RequestContext, ServiceError};
use ::rmcp::{ErrorData, Peer, RoleServer};
use serde_json::Value;
use tokio::sync::mpsc::{self, error::TrySendError};

use super::{Context, types};
use crate::ask::session::AttachedAsker;
use crate::ask::{Asker, ClientInfo, Question, Reply, admits_forms};
use crate::call::lock;
use crate::dispatcher::{Gate, TaskAnswer, TaskError};
use crate::mcp::params::CAPABILITIES_KEY;
use crate::mcp::task::missing_extension_text;
use crate::operations::{Carrier, OpenRecord, Outcome};
use crate::serve::protocol::error_parts;
use crate::tool::metadata::TaskUse;
use crate::{
    BoxFuture, CallToolRequest, CallToolResponse, DispatchError, Dispatcher, Extensions, Progress, ProtocolVersion, mcp,
};

/// The maximum time that the result of a call waits for the call's reports to be sent. After the end of the input, the
/// SDK still accepts reports, but silently drops them, and waits only five seconds for the responses of running calls.
/// A result that waited longer would be lost.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// The maximum number of reports of a call that wait for the transport.
const MAX_WAITING: usize = 64;

/// Converts the `params` of a `tools/call` request that the SDK could not parse. Wrong arguments are passed on, so that
/// the model gets an error result.
pub(super) fn from_raw_params(params: Option<Value>) -> Result<CallToolRequest, ErrorData> {
    let Some(Value::Object(mut params)) = params else { return Err(malformed()) };
    let Some(Value::String(name)) = params.remove("name") else { return Err(malformed()) };
    let state = match params.remove("requestState") {
        None => None,
        Some(Value::String(state)) => Some(state),
        Some(_) => return Err(invalid_request("`requestState` must be a string")),
    };
    let arguments = params.remove("arguments").unwrap_or_default();
    Ok(request(name, arguments, params.remove("inputResponses"), state))
}

/// Creates a request. `responses` and `state` answer the questions that the tool asked in its previous response.
pub(super) fn request(
    name: impl Into<String>,
    arguments: impl Into<Value>,
    responses: Option<impl serde::Serialize>,
    state: Option<String>,
) -> CallToolRequest {
    let mut request = CallToolRequest::new(name, arguments.into());
    // Converting JSON values cannot fail.
    let responses = responses.and_then(|responses| serde_json::to_value(responses).ok());
    request.answers = crate::call::answers(responses, state);
    request
}

fn malformed() -> ErrorData {
    invalid_request("expected an object with a string `name`, and with `arguments` and an object `_meta` if any")
}

fn invalid_request(message: &str) -> ErrorData {
    error(DispatchError::InvalidRequest { message: message.to_owned() })
}

/// Returns the `attached` values, together with the peer and the extensions of a request that the SDK has received.
pub(super) fn extensions(
    attached: &Extensions,
    of_request: ::rmcp::model::Extensions,
    peer: Peer<RoleServer>,
) -> Extensions {
    let mut extensions = attached.clone();
    extensions.set_sdk(peer, of_request);
    extensions
}

/// A call that the SDK has received. Without a gate, the dispatcher checks the rules itself.
pub(super) struct Received<'d> {
    dispatcher: &'d Dispatcher,
    request: CallToolRequest,
    gate: Option<Gate<'d>>,
    record: OpenRecord,
}

type Run<T> = for<'d> fn(Received<'d>) -> BoxFuture<'d, Result<T, ErrorData>>;

/// Runs a call without letting it become a task.
pub(super) fn call(call: Received<'_>) -> BoxFuture<'_, Result<CallToolResponse, ErrorData>> {
    let Received { dispatcher, request, gate, record } = call;
    Box::pin(async move { dispatcher.call_from(request, None, gate, record).await.map_err(error) })
}

/// Runs a call with the SDK's context as extensions, with progress and cancellation. If `request` is an error, that
/// error is the answer.
///
/// The SDK moves the future of a handler several times, so the future holds nothing large: the call is boxed, and the
/// request and the context are read beforehand. Over stdio, that saves 5% of the time of a call in the benchmark `add`,
/// and 9% in `row`.
pub(super) fn run<'d, T: Send + 'd>(
    dispatcher: &'d Dispatcher,
    attached: &Extensions,
    request: Result<(CallToolRequest, Option<Gate<'d>>), ErrorData>,
    context: Context,
    run: Run<T>,
) -> impl Future<Output = Result<T, ErrorData>> + Send + use<'d, T> {
    let cancelled = context.ct.clone();
    // Open the record now, because a call that is cancelled at once is never polled.
    let mut record = dispatcher.open_record(Carrier::Rmcp);
    let call = match request {
        Ok((request, gate)) => {
            record.set(Outcome::Cancelled);
            boxed_call(Received { dispatcher, request, gate, record }, attached, context, run)
        }
        Err(error) => Box::pin(ready(Err(error))),
    };
    async move {
        // The error for a cancelled call reaches nobody, because the SDK sends no response to a cancelled request.
        cancelled.run_until_cancelled(call).await.unwrap_or_else(|| Err(ErrorData::internal_error("cancelled", None)))
    }
}

/// Reads what a call needs from the context, and creates the future of the call.
fn boxed_call<'d, T: Send + 'd>(
    mut call: Received<'d>,
    attached: &Extensions,
    context: Context,
    run: Run<T>,
) -> BoxFuture<'d, Result<T, ErrorData>> {
    let (dispatcher, request) = (call.dispatcher, &mut call.request);
    let version = super::version(&context);
    if dispatcher.asks(&request.name) {
        request.answers_mut().asker = asker(&context, version);
    }
    let RequestContext { meta, peer, extensions: of_request, .. } = context;
    let progress = meta.get_progress_token().map(|token| (token, peer.clone()));
    // From protocol version 2026-07-28 on, each request names its client. Prefer that name, because without a session,
    // the peer has the name of the SDK instead of the client's.
    let is_named = ClientInfo::of_request(Some(&meta.0.0)).is_some();
    let client = peer.peer_info().filter(|_| dispatcher.reads_clients() && !is_named);
    let client = client.map(|info| ClientInfo::new(&*info.client_info.name, &*info.client_info.version));
    request.extensions = extensions(attached, of_request, peer);
    if let Some(client) = client {
        request.extensions.insert(client);
    }
    call.request = call.request.with_meta(meta.0.0).with_protocol_version(version);
    match progress {
        None => run(call),
        Some((token, peer)) => Box::pin(call_with_progress(call, peer, token, run)),
    }
}

/// Runs a call for a client that asked for progress. Sends each report only after the one before it has been sent. The
/// SDK writes each message in a separate task, so the reports could otherwise overtake each other, and the protocol
/// requires their values to increase.
async fn call_with_progress<T>(
    mut call: Received<'_>,
    peer: Peer<RoleServer>,
    token: ProgressToken,
    run: Run<T>,
) -> Result<T, ErrorData> {
    let (sender, mut reports) = mpsc::channel::<Progress>(MAX_WAITING);
    // A client that reads slowly misses some reports, but never the newest one.
    let newest = Arc::new(Mutex::new(None));
    let missed = Arc::clone(&newest);
    // Hold the sender weakly, so that the channel closes when the call ends, even if a task that the tool spawned lives
    // on.
    let sink = sender.downgrade();
    call.request = call.request.with_progress(move |progress| {
        let mut missed = lock(&missed);
        *missed = sink.upgrade().and_then(|sender| sender.try_send(progress).err()).map(TrySendError::into_inner);
    });
    let mut call = run(call);
    let mut sending = pin!(async move {
        let take_newest = || lock(&newest).take();
        while let Some(progress) = reports.recv().await.or_else(take_newest) {
            let mut param = ProgressNotificationParam::new(token.clone(), progress.done);
            param.total = progress.total;
            param.message = progress.message;
            // Fails only if the connection is closed.
            let _ = peer.notify_progress(param).await;
        }
    });
    let response = tokio::select! {
        biased;
        response = &mut call => response,
        // `sending` never finishes first, because the channel stays open until `sender` is dropped.
        () = &mut sending => call.await,
    };
    drop(sender);
    let _ = tokio::time::timeout(MAX_WAIT, sending).await;
    response
}

pub(super) fn error(error: impl Into<TaskError>) -> ErrorData {
    let (code, message, data) = error_parts(error.into());
    ErrorData::new(ErrorCode(code), message, data)
}

/// Runs a call, which may become a task.
pub(super) fn call_or_task(call: Received<'_>) -> BoxFuture<'_, Result<::rmcp::model::CallToolResponse, ErrorData>> {
    let Received { dispatcher, mut request, gate, record } = call;
    Box::pin(async move {
        let version = request.protocol_version;
        let may_be_task = !version.is_legacy() && dispatcher.has_task(&request.name);
        let capabilities = request.meta.as_ref().filter(|_| may_be_task).and_then(|meta| meta.get(CAPABILITIES_KEY));
        let has_tasks = capabilities.is_some_and(|capabilities| mcp::task::is_declared(&capabilities.to_string()));
        let answer = match dispatcher.prepare_request(&mut request, None, gate, record) {
            Ok(call) if has_tasks => dispatcher.run_as_task(call).await,
            Ok(mut call) if call.task_use() == Some(TaskUse::Required) => {
                call.record.end(Outcome::InvalidRequest);
                let data = Some(mcp::task::required());
                return Err(ErrorData::new(ErrorCode(-32021), missing_extension_text(), data));
            }
            Ok(mut call) => dispatcher.run(&mut call).await.map(TaskAnswer::Ended).map_err(TaskError::from),
            Err(rejection) => rejection.into_response().map(TaskAnswer::Ended).map_err(TaskError::from),
        };
        match answer.map_err(error)? {
            TaskAnswer::Ended(response) => types::response(&response, version, version),
            TaskAnswer::Task(snapshot) => {
                if let Some(result) = snapshot.result() {
                    let result: CallToolResult = serde_json::from_str(result.get()).map_err(types::internal)?;
                    return Ok(result.into());
                }
                let created = snapshot.created("");
                let created: CreateTaskResult = serde_json::from_slice(&created).map_err(types::internal)?;
                Ok(created.into())
            }
        }
    })
}

/// An asker that sends questions as requests to the SDK's peer. Servers send requests only in protocol versions before
/// 2026-07-28.
struct PeerAsker {
    peer: Peer<RoleServer>,
    version: ProtocolVersion,
}

/// Creates the asker for a client. Returns `None` if the version is 2026-07-28 or later, or if the client does not
/// support forms.
pub(super) fn asker(context: &Context, version: ProtocolVersion) -> Option<AttachedAsker> {
    let info = context.peer.peer_info().filter(|_| version.is_legacy())?;
    let capabilities = serde_json::to_value(&info.capabilities).ok()?;
    if !admits_forms(&capabilities) {
        return None;
    }
    let client = ClientInfo::new(&*info.client_info.name, &*info.client_info.version);
    let asker = PeerAsker { peer: context.peer.clone(), version };
    Some(AttachedAsker { asker: Arc::new(asker), client: Some(Arc::new(client)) })
}

impl Asker for PeerAsker {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Reply> {
        Box::pin(async {
            let Some(params) = question.params(self.version) else { return Reply::Unavailable };
            // Use a custom request, because `ElicitRequest` would need the form's schema in the SDK's own type.
            let request = ServerRequest::CustomRequest(CustomRequest::new("elicitation/create", Some(params)));
            let answer = async {
                let options = PeerRequestOptions::no_options();
                let handle = self.peer.send_cancellable_request(request, options).await?;
                let mut guard = CancelRequestOnDrop { peer: &self.peer, id: Some(handle.id.clone()) };
                let response = handle.await_response().await;
                guard.id = None;
                response
            };
            match answer.await {
                Ok(ClientResult::ElicitResult(result)) => match result.action {
                    // Treat content other than an object as missing.
                    ElicitationAction::Accept => {
                        Reply::Accept(result.content.filter(Value::is_object).unwrap_or_default())
                    }
                    ElicitationAction::Decline => Reply::Decline,
                    // `Cancel`, and any action that a later version of the SDK adds.
                    _ => Reply::Cancel,
                },
                // The client disconnected before its user answered.
                Err(ServiceError::TransportClosed) => Reply::Cancel,
                // The request failed, or the client answered with a result of the wrong kind.
                Ok(_) | Err(_) => Reply::Unavailable,
            }
        })
    }
}

/// A guard for a request that asks the client a question. Dropping the guard cancels the request, unless `id` is
/// `None`.
struct CancelRequestOnDrop<'a> {
    peer: &'a Peer<RoleServer>,
    id: Option<RequestId>,
}

impl Drop for CancelRequestOnDrop<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let (peer, reason) = (self.peer.clone(), "the call has ended".to_owned());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                // Fails only if the connection is closed.
                let _ = peer.notify_cancelled(CancelledNotificationParam::new(Some(id), Some(reason))).await;
            });
        }
    }
}
