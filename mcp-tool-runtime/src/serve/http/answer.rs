//! One request of HTTP, from its headers to its response.

use std::borrow::Cow;
use std::pin::{Pin, pin};
use std::sync::Arc;

use ::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use ::http::request::Parts;
use ::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use bytes::Buf as _;
use tokio::sync::mpsc;

use super::Inner;
use super::body::{Body, Events, event};
use super::negotiate::{Accepts, is_json};
use crate::dispatcher::TransportContext;
use crate::serve::protocol::{self, Kind, Message, Params, Refusal};
use crate::{Extensions, ProtocolVersion};

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");

/// How many reports wait for a client that reads slowly; those beyond are dropped.
const MOST_REPORTS: usize = 64;

/// A message and the status it goes with.
struct Answer {
    status: StatusCode,
    message: Vec<u8>,
}

type Call = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// A request that is no message yet, and will not be one.
struct Refused(StatusCode, Cow<'static, str>);

pub(super) async fn answer<B>(inner: Arc<Inner>, request: Request<B>) -> Response<Body>
where
    B: http_body::Body,
{
    let (parts, body) = request.into_parts();
    let read = async {
        let accepts = admit(&inner, &parts)?;
        Ok((accepts, collect(body, inner.max_body_bytes).await?))
    };
    match read.await {
        Ok((accepts, body)) => respond(inner, Arc::new(parts), body, accepts).await,
        Err(Refused(status, text)) => {
            let mut response = response(status, Some(JSON), Body::whole(Refusal::invalid(text).to_bytes()));
            if status == StatusCode::METHOD_NOT_ALLOWED {
                response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
            }
            response
        }
    }
}

/// What can be said before the body is read.
fn admit(inner: &Inner, parts: &Parts) -> Result<Accepts, Refused> {
    if let Some(fault) = inner.guard.fault(parts) {
        return Err(Refused(StatusCode::FORBIDDEN, fault.into()));
    }
    if parts.method != Method::POST {
        // There is no stream to get and no session to delete.
        return Err(Refused(StatusCode::METHOD_NOT_ALLOWED, "messages are sent with POST".into()));
    }
    if !is_json(&parts.headers) {
        let text = "the Content-Type must be application/json";
        return Err(Refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, text.into()));
    }
    let accepts = Accepts::of(&parts.headers);
    if !(accepts.json || accepts.events) {
        let text = "the Accept header allows neither application/json nor text/event-stream; a client lists both";
        return Err(Refused(StatusCode::NOT_ACCEPTABLE, text.into()));
    }
    Ok(accepts)
}

async fn collect<B: http_body::Body>(body: B, most: usize) -> Result<Vec<u8>, Refused> {
    let too_long = || Refused(StatusCode::PAYLOAD_TOO_LARGE, format!("the body has more than {most} bytes").into());
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > most {
        return Err(too_long());
    }
    let mut bytes = Vec::with_capacity(announced);
    let mut body = pin!(body);
    while let Some(frame) = std::future::poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
        let broken_off = |_| Refused(StatusCode::BAD_REQUEST, "the body ended before its end".into());
        let Ok(mut data) = frame.map_err(broken_off)?.into_data() else { continue };
        if data.remaining() > most - bytes.len() {
            return Err(too_long());
        }
        while data.has_remaining() {
            let chunk = data.chunk();
            let length = chunk.len();
            bytes.extend_from_slice(chunk);
            data.advance(length);
        }
    }
    Ok(bytes)
}

async fn respond(inner: Arc<Inner>, parts: Arc<Parts>, body: Vec<u8>, accepts: Accepts) -> Response<Body> {
    let checked = match check(&inner, &parts.headers, &body) {
        Ok(Some(checked)) => checked,
        Ok(None) => return empty(),
        Err(answer) => return document(answer, accepts),
    };
    let streams = accepts.events && inner.event_streams && checked.request.method == "tools/call";
    let Some(token) = protocol::progress_token(&checked.params).filter(|_| streams) else {
        let transport = TransportContext { extensions: Extensions::from_http(Arc::clone(&parts)), progress: None };
        return document(perform(&inner, checked, transport).await, accepts);
    };

    // The call may outlive this function, so it gets a message of its own.
    drop(checked);
    let (send, mut reports) = mpsc::channel(MOST_REPORTS);
    let progress = protocol::reporter(token, move |report| drop(send.try_send(report)));
    let mut call: Call = Box::pin(async move {
        match check(&inner, &parts.headers, &body) {
            Ok(Some(checked)) => {
                let extensions = Extensions::from_http(Arc::clone(&parts));
                perform(&inner, checked, TransportContext { extensions, progress: Some(progress) }).await
            }
            Ok(None) => Answer { status: StatusCode::ACCEPTED, message: Vec::new() },
            Err(answer) => answer,
        }
    });
    let first = tokio::select! {
        biased;
        answer = &mut call => {
            // Without a wait in between, everything is there at once.
            let mut events = Vec::new();
            while let Ok(report) = reports.try_recv() {
                events.extend(event(report));
            }
            if events.is_empty() {
                return document(answer, accepts);
            }
            events.extend(event(answer.message));
            return stream(Body::whole(events));
        }
        Some(first) = reports.recv() => first,
    };
    // On a task of its own, so that a client that reads slowly holds up nothing but its own stream.
    let call = tokio::spawn(async move { call.await.message });
    stream(Body::events(Events { first: Some(first), reports, call: Some(call), answer: None }))
}

/// A request whose headers and body belong together.
struct Checked<'b> {
    request: protocol::Request<'b>,
    params: Params<'b>,
    version: ProtocolVersion,
}

/// Reads the message and holds it against the headers. A notification that is taken is `None`.
fn check<'b>(inner: &Inner, headers: &HeaderMap, body: &'b [u8]) -> Result<Option<Checked<'b>>, Answer> {
    let bad = |refusal: &Refusal<'_>| Answer { status: StatusCode::BAD_REQUEST, message: refusal.to_bytes() };
    let message = Message::read(body).map_err(|refusal| bad(&refusal))?;
    let header = header_version(headers);
    let request = match message {
        Message::Request(request) => request,
        Message::Notification { .. } => {
            return header.map(|_| None).map_err(|fault| bad(&fault.refusal()));
        }
        Message::Response => return Err(bad(&Refusal::invalid("this server asks nothing, so nothing answers it"))),
    };
    let id = request.id;
    let params = request.params().map_err(|refusal| bad(&refusal))?;
    let named = named(&params);
    // The two are compared before either is judged.
    if let Some(named) = named
        && headers.get(VERSION).is_none_or(|header| header.as_bytes() != named.as_bytes())
    {
        let text = "the header MCP-Protocol-Version must say what `_meta` says";
        return Err(bad(&mismatch(text).of(Some(id))));
    }
    let header = header.map_err(|fault| bad(&fault.refusal().of(Some(id))))?;
    let version = match protocol::named_version(params.meta.as_deref(), id).map_err(|refusal| bad(&refusal))? {
        Some(version) => version,
        None if header.is_legacy() => header,
        None => return Err(bad(&protocol::unversioned().of(Some(id)))),
    };
    if !version.is_legacy()
        && let Some(fault) = inner.mirrors.fault(headers, &request, &params)
    {
        return Err(bad(&mismatch(fault).of(Some(id))));
    }
    Ok(Some(Checked { request, params, version }))
}

async fn perform(inner: &Inner, checked: Checked<'_>, transport: TransportContext) -> Answer {
    let Checked { request, params, version } = checked;
    match inner.protocol.perform(&request, params, version, transport).await {
        Ok(message) => Answer { status: StatusCode::OK, message },
        Err(refusal) => {
            let status = match refusal.kind {
                Kind::Malformed => StatusCode::BAD_REQUEST,
                Kind::UnknownMethod if !version.is_legacy() => StatusCode::NOT_FOUND,
                // Clients of the earlier versions read no error from another status.
                Kind::UnknownMethod | Kind::Answered => StatusCode::OK,
            };
            Answer { status, message: refusal.to_bytes() }
        }
    }
}

/// The version that the body names, if it is a text.
fn named<'p>(params: &'p Params<'_>) -> Option<&'p str> {
    params.meta.as_ref()?.get(protocol::VERSION_KEY)?.as_str()
}

/// What is wrong with the version header.
enum HeaderFault {
    Unsupported(String),
    Twice,
}

impl HeaderFault {
    fn refusal(&self) -> Refusal<'static> {
        match self {
            Self::Unsupported(version) => protocol::unsupported(version),
            Self::Twice => mismatch("the header MCP-Protocol-Version is there twice"),
        }
    }
}

/// The version that the headers name. A client that names none is from before there was such a header.
fn header_version(headers: &HeaderMap) -> Result<ProtocolVersion, HeaderFault> {
    let mut values = headers.get_all(VERSION).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(ProtocolVersion::V2025_06_18),
        (Some(value), None) => {
            let version = String::from_utf8_lossy(value.as_bytes());
            version.parse().map_err(|_| HeaderFault::Unsupported(version.into_owned()))
        }
        (Some(_), Some(_)) => Err(HeaderFault::Twice),
    }
}

fn mismatch(text: impl Into<Cow<'static, str>>) -> Refusal<'static> {
    Refusal::new(Kind::Malformed, -32020, text)
}

fn document(answer: Answer, accepts: Accepts) -> Response<Body> {
    if answer.message.is_empty() {
        return empty();
    }
    if accepts.json || answer.status != StatusCode::OK {
        return response(answer.status, Some(JSON), Body::whole(answer.message));
    }
    stream(Body::whole(event(answer.message)))
}

fn stream(body: Body) -> Response<Body> {
    let mut response = response(StatusCode::OK, Some(EVENTS), body);
    // Proxies are told to pass each event on as it comes.
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

fn empty() -> Response<Body> {
    response(StatusCode::ACCEPTED, None, Body::empty())
}

fn response(status: StatusCode, media_type: Option<HeaderValue>, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    if let Some(media_type) = media_type {
        response.headers_mut().insert(CONTENT_TYPE, media_type);
    }
    response
}
