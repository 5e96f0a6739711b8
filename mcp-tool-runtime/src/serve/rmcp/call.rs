//! One call, from the SDK's request to a response.

use std::pin::pin;
use std::sync::Arc;

use ::rmcp::model::{ErrorCode, JsonObject, ProgressNotificationParam, ProgressToken};
use ::rmcp::service::RequestContext;
use ::rmcp::{ErrorData, Peer, RoleServer};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::{BoxFuture, CallToolRequest, CallToolResponse, DispatchError, Dispatcher, Extensions, Progress};

/// A request as the SDK read it.
pub(super) fn request(name: impl Into<String>, arguments: Option<JsonObject>) -> CallToolRequest {
    CallToolRequest::new(name, arguments.map_or(Value::Null, Value::Object))
}

/// A request that the SDK could not read: what is wrong may be the arguments alone, and then a model is to learn of it.
pub(super) fn unread(params: Option<Value>) -> Result<CallToolRequest, ErrorData> {
    let Some(Value::Object(mut params)) = params else { return Err(protocol_error(&malformed())) };
    match params.remove("name") {
        Some(Value::String(name)) => Ok(CallToolRequest::new(name, params.remove("arguments").unwrap_or_default())),
        _ => Err(protocol_error(&malformed())),
    }
}

fn malformed() -> DispatchError {
    let message = "expected an object with a string `name`, and with `arguments` and an object `_meta` if any";
    DispatchError::InvalidRequest { message: message.to_owned() }
}

/// Answers a call: with what the SDK knows of it attached, with progress reported, until it is cancelled.
pub(super) async fn answer(
    dispatcher: &Dispatcher,
    mut request: CallToolRequest,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let version = super::version(&context);
    let RequestContext { ct, meta, extensions, peer, .. } = context;
    let token = meta.get_progress_token();
    if let Some(parts) = extensions.get::<http::request::Parts>() {
        request.extensions = Extensions::from_http(Arc::new(parts.clone()));
    }
    let request = request
        .with_meta(meta.0.0)
        .with_protocol_version(version)
        .with_extension(peer.clone())
        .with_extension(extensions);
    // In a box, because the SDK holds the handler's future inline in several of its own.
    let call: BoxFuture<'_, _> = match token {
        None => Box::pin(dispatcher.call(request)),
        Some(token) => Box::pin(reporting(dispatcher, request, peer, token)),
    };
    match ct.run_until_cancelled(call).await {
        Some(response) => response.map_err(|error| protocol_error(&error)),
        // The SDK sends no response to a request that was cancelled.
        None => Err(ErrorData::internal_error("cancelled", None)),
    }
}

/// Answers a call of a client that asked for progress.
async fn reporting(
    dispatcher: &Dispatcher,
    request: CallToolRequest,
    peer: Peer<RoleServer>,
    token: ProgressToken,
) -> Result<CallToolResponse, DispatchError> {
    let (reports, mut queue) = mpsc::unbounded_channel();
    // Who has hung up needs no reports.
    let mut call = pin!(dispatcher.call(request.with_progress(move |progress| drop(reports.send(progress)))));
    let response = loop {
        // In this order: a report that was made before the end is sent before the result.
        tokio::select! {
            biased;
            Some(progress) = queue.recv() => report(&peer, &token, progress).await,
            response = &mut call => break response,
        }
    };
    while let Ok(progress) = queue.try_recv() {
        report(&peer, &token, progress).await;
    }
    response
}

/// Passes a report on to the client that asked for it.
async fn report(peer: &Peer<RoleServer>, token: &ProgressToken, progress: Progress) {
    let mut param = ProgressNotificationParam::new(token.clone(), progress.done);
    param.total = progress.total;
    param.message = progress.message;
    // A client that is gone gets no result either.
    let _ = peer.notify_progress(param).await;
}

fn protocol_error(error: &DispatchError) -> ErrorData {
    ErrorData::new(ErrorCode(error.code()), error.to_string(), None)
}
