//! Handles one HTTP request: headers, body, message, call, response.

use std::borrow::Cow;
use std::convert::Infallible;
use std::error::Error;
use std::pin::pin;
use std::sync::{Arc, LazyLock};

use ::http::header::{ALLOW, CACHE_CONTROL, WWW_AUTHENTICATE};
use ::http::request::Parts;
use ::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Collected, LengthLimitError, Limited};
use memchr::memmem;
use serde_json::Value;
use tokio::sync::mpsc;

use super::Endpoint;
use super::body::{Body, Events, JSON, event};
use super::headers::{Accepts, RequestedSelection, check_json, check_routing};
use super::problem::Rejected;
use crate::dispatcher::TransportContext;
use crate::mcp::message::{ErrorKind, Message, ProtocolError, progress_sink, progress_token};
use crate::mcp::params::{RequestParams, VERSION_KEY, string};
use crate::mcp::version;
use crate::operations::{Carrier, OpenRecord, Outcome};
use crate::serve::protocol::Begun;
use crate::serve::repeated_arguments::single;
use crate::{BoxFuture, Extensions, ProtocolVersion, log};

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// A search for the key with which a client asks for progress. Searching the body is cheaper than creating a channel
/// for every request.
static PROGRESS_TOKEN: LazyLock<memmem::Finder<'_>> = LazyLock::new(|| memmem::Finder::new("progressToken"));

/// The maximum number of reports that wait for a slow client. Further reports are dropped.
pub(super) const MAX_WAITING_REPORTS: usize = 64;

/// A JSON-RPC message with its HTTP status.
struct Reply {
    status: StatusCode,
    message: Vec<u8>,
    /// The value of the `WWW-Authenticate` header, if the reply has one.
    challenge: Option<HeaderValue>,
}

impl Reply {
    fn new(status: StatusCode, message: Vec<u8>) -> Self {
        Self { status, message, challenge: None }
    }
}

/// Handles a request. Keeps its parts behind an `Arc`, because they are large, and would otherwise make the future
/// large too.
pub(super) fn handle<B: http_body::Body>(
    endpoint: Endpoint,
    request: Request<B>,
) -> impl Future<Output = Result<Response<Body>, Infallible>> {
    let (parts, body) = request.into_parts();
    let parts = Arc::new(parts);
    async move {
        let read = async {
            let accepts = check_headers(&endpoint, &parts)?;
            Ok((accepts, read_body(body, endpoint.settings.max_body_bytes).await?))
        };
        let (accepts, body) = match read.await {
            Ok(read) => read,
            Err(rejected) => return Ok(refuse(rejected)),
        };
        let may_report = || PROGRESS_TOKEN.find(&body).is_some();
        Ok(if accepts.events && endpoint.event_streams && may_report() {
            respond_with_reports(endpoint, parts, body, accepts).await
        } else {
            document(answer(&endpoint, &parts, &body, None).await, accepts)
        })
    }
}

fn refuse(Rejected(status, text): Rejected) -> Response<Body> {
    let error = ProtocolError::invalid_request(text).to_bytes(None);
    let mut response = Body::whole(error).into_response(status, JSON);
    if status == StatusCode::METHOD_NOT_ALLOWED {
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
    }
    response
}

/// Checks the source, the method and the media types of a request before its body is read.
fn check_headers(endpoint: &Endpoint, parts: &Parts) -> Result<Accepts, Rejected> {
    endpoint.settings.sources.check(parts)?;
    if parts.method != Method::POST {
        // GET would open a stream and DELETE would end a session, but this server has neither.
        return Err(Rejected(StatusCode::METHOD_NOT_ALLOWED, "send messages with POST".into()));
    }
    check_json(&parts.headers)?;
    let accepts = Accepts::of(&parts.headers);
    if !(accepts.json || accepts.events) {
        let text = "the Accept header must list application/json and text/event-stream";
        return Err(Rejected(StatusCode::NOT_ACCEPTABLE, text.into()));
    }
    Ok(accepts)
}

pub(super) async fn read_body<B: http_body::Body>(body: B, limit: usize) -> Result<Bytes, Rejected> {
    let too_long = || {
        let text = format!("the body has more than {limit} bytes");
        log::message_refused(&text);
        Rejected(StatusCode::PAYLOAD_TOO_LARGE, text.into())
    };
    // Refuse a body whose stated length is over the limit. Many clients send the whole body before they read the answer,
    // and would find the connection closed, so first read and drop a body of less than four times the limit.
    let length = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if length > limit {
        let mut body = pin!(body);
        while length / 4 < limit
            && let Some(Ok(_)) = body.frame().await
        {}
        return Err(too_long());
    }
    let body = Limited::new(body.map_err(|_| "the request body is incomplete"), limit);
    let rejected = |error: Box<dyn Error + Send + Sync>| {
        if error.is::<LengthLimitError>() {
            return too_long();
        }
        Rejected(StatusCode::BAD_REQUEST, error.to_string().into())
    };
    body.collect().await.map(Collected::to_bytes).map_err(rejected)
}

async fn respond_with_reports(endpoint: Endpoint, parts: Arc<Parts>, body: Bytes, accepts: Accepts) -> Response<Body> {
    let (send, mut reports) = mpsc::channel(MAX_WAITING_REPORTS);
    // The future owns the body, because the call may outlive this function.
    let mut call: BoxFuture<'static, Reply> =
        Box::pin(async move { answer(&endpoint, &parts, &body, Some(send)).await });
    let first = tokio::select! {
        biased;
        reply = &mut call => {
            if reports.is_empty() {
                return document(reply, accepts);
            }
            return stream(Body::events(Events { first: None, reports, call: None, result: Some(reply.message) }));
        }
        Some(first) = reports.recv() => first,
    };
    // Spawn the call, so that a client that reads the stream slowly does not slow down the call.
    let call = tokio::spawn(async move { call.await.message });
    stream(Body::events(Events { first: Some(first), reports, call: Some(call), result: None }))
}

/// Answers a message. The answer to a notification is empty, unless its version header is wrong.
async fn answer(endpoint: &Endpoint, parts: &Arc<Parts>, body: &[u8], reports: Option<mpsc::Sender<Vec<u8>>>) -> Reply {
    let mut begun = begin(endpoint, parts, body, reports);
    // Borrow `begun`, because moving it copies a lot.
    let (id, begun) = match begun {
        Ok((id, ref mut begun)) => (id, begun),
        Err(reply) => return reply,
    };
    match endpoint.protocol.finish(id, begun).await {
        Ok(message) => Reply::new(StatusCode::OK, message),
        Err(error) => failed(&error, id),
    }
}

/// Writes the reply for an error. The kind of the error decides the status.
fn failed(error: &ProtocolError, id: &str) -> Reply {
    let status = match error.kind {
        ErrorKind::Malformed => StatusCode::BAD_REQUEST,
        ErrorKind::UnknownMethod => StatusCode::NOT_FOUND,
        ErrorKind::Method => StatusCode::OK,
    };
    Reply::new(status, error.to_bytes(Some(id)))
}

/// Parses the message, compares it with the headers, and does everything else that needs no waiting. The error is a
/// finished reply.
fn begin<'b>(
    endpoint: &'b Endpoint,
    parts: &Arc<Parts>,
    body: &'b [u8],
    reports: Option<mpsc::Sender<Vec<u8>>>,
) -> Result<(&'b str, Begun<'b>), Reply> {
    let headers = &parts.headers;
    let bad = |message| Reply::new(StatusCode::BAD_REQUEST, message);
    let settings = endpoint.protocol.dispatcher().settings();
    let mut params = RequestParams::default();
    let message = Message::read(body, &mut params, settings).map_err(bad)?;
    let header = header_version(headers);
    let (request, params) = match message {
        Message::Request(request, params) => (request, params),
        Message::Notification { .. } => {
            header.map_err(|error| bad(error.to_bytes(None)))?;
            return Err(Reply::new(StatusCode::ACCEPTED, Vec::new()));
        }
        Message::Response { .. } => {
            let text = "this server sends no requests, so it expects no response";
            return Err(bad(ProtocolError::invalid_request(text).to_bytes(None)));
        }
    };
    let id = request.id;
    let dispatcher = endpoint.protocol.dispatcher();
    let mut extensions = Extensions::from_http(Arc::clone(parts));
    let mut record = dispatcher.open_record_of(&request.method, Carrier::Http, &extensions);
    let bad = |error: ProtocolError| bad(error.to_bytes(Some(id)));
    let params = params.map_err(|invalid| bad(invalid.into()))?;
    let named = params.meta.as_ref().and_then(|meta| meta.protocol_version).and_then(string);
    // Compare the header with `_meta` first: the specification requires the error about a mismatch even if the version
    // is also unsupported.
    if let Some(named) = named
        && headers.get(VERSION).is_none_or(|header| header.as_bytes() != named.as_bytes())
    {
        let text = if headers.contains_key(VERSION) {
            "the header MCP-Protocol-Version must be equal to the version in `_meta`"
        } else {
            "the header MCP-Protocol-Version is missing; it must be equal to the version in `_meta`"
        };
        return Err(bad(mismatch(text)));
    }
    let header = header.map_err(bad)?;
    let version = match version::requested_version(params.meta.as_ref()).map_err(bad)? {
        Some(version) => version,
        None if header.is_legacy() => header,
        None => return Err(bad(version::missing_meta(VERSION_KEY))),
    };
    let mismatched = |record: &mut OpenRecord, extensions: &Extensions, text| {
        if let Some(record) = record.get() {
            record.set_request(version, extensions, params.meta().as_ref());
        }
        bad(mismatch(text))
    };
    if !version.is_legacy() {
        check_routing(headers, &request, params).map_err(|text| mismatched(&mut record, &extensions, text))?;
    }
    if endpoint.is_selectable {
        extensions.insert(RequestedSelection::of(headers));
    }
    let mut gate = None;
    if request.method == "tools/call"
        && let Some(name) = params.name.and_then(string)
    {
        // Decide first whether the caller may call the tool, because the answer to a call to a hidden tool must not
        // depend on the arguments.
        let gate = &*gate.insert(dispatcher.gate(&name, &extensions));
        dispatcher.record_gate(&mut record, gate, &extensions);
        if let Some((text, header)) = endpoint.settings.scope_challenge(gate, &name) {
            record.end(Outcome::Refused);
            let message = ProtocolError::invalid_request(text).to_bytes(Some(id));
            return Err(Reply { status: StatusCode::FORBIDDEN, message, challenge: Some(header) });
        }
        if !version.is_legacy() {
            let arguments = || {
                let Some(arguments) = &params.arguments else { return Some(Value::Null) };
                // Arguments that cannot be read are refused later.
                arguments.as_ref().ok().map(|document| document.root().to_value())
            };
            let checked = endpoint.repeated_arguments.check(headers, gate, arguments);
            checked.map_err(|text| mismatched(&mut record, &extensions, text))?;
        }
    }
    let progress = reports
        .zip(progress_token(params))
        .map(|(reports, token)| progress_sink(token, move |report| drop(reports.try_send(report))));
    let transport = TransportContext {
        extensions,
        progress,
        challenges_scopes: endpoint.settings.resource_metadata.is_some(),
        // Without sessions, the server cannot send requests to the client, so it cannot ask questions while a call
        // runs.
        asker: None,
        record,
    };
    match endpoint.protocol.begin(request, params, version, transport, gate) {
        Ok(begun) => Ok((id, begun)),
        Err(error) => Err(failed(&error, id)),
    }
}

/// Returns the version that the `MCP-Protocol-Version` header names. Returns 2025-06-18 if there is no header, because
/// clients with that version or an older version may leave the header out.
fn header_version(headers: &HeaderMap) -> Result<ProtocolVersion, ProtocolError> {
    match single(headers, &VERSION).map_err(mismatch)? {
        None => Ok(ProtocolVersion::V2025_06_18),
        Some(version) => version.parse().map_err(|_| version::unsupported_version(version)),
    }
}

fn mismatch(text: impl Into<Cow<'static, str>>) -> ProtocolError {
    ProtocolError::new(ErrorKind::Malformed, -32020, text)
}

fn document(reply: Reply, accepts: Accepts) -> Response<Body> {
    if reply.message.is_empty() {
        return Body::empty_response(StatusCode::ACCEPTED);
    }
    if accepts.json || reply.status != StatusCode::OK {
        let mut response = Body::whole(reply.message).into_response(reply.status, JSON);
        response.headers_mut().extend(reply.challenge.map(|challenge| (WWW_AUTHENTICATE, challenge)));
        return response;
    }
    stream(Body::whole(event(reply.message)))
}

pub(super) fn stream(body: Body) -> Response<Body> {
    let mut response = body.into_response(StatusCode::OK, "text/event-stream");
    // Tell proxies not to cache the events and not to buffer them.
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}
