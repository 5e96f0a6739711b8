//! The tools as plain HTTP resources.

pub(super) mod tasks;

use std::convert::Infallible;
use std::sync::Arc;

use ::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, HeaderName, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use ::http::request::Parts;
use ::http::{HeaderValue, Method, Request, Response, StatusCode};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::TokenChecked;
use super::body::{Body, JSON};
use super::handle::read_body;
use super::headers::check_json;
use super::problem::Problem;
use super::settings::{Settings, settings_methods, tower_service};
#[cfg(feature = "tasks")]
use crate::call::IdempotencyKey;
use crate::call::milliseconds;
use crate::dispatcher::{Access, Gate, TransportContext};
use crate::json::reader;
use crate::json::tape::Tape;
use crate::json::violation::Violation;
use crate::mcp::params::RequestParams;
use crate::operations::{Carrier, OpenRecord, Outcome};
use crate::schema::reference::percent_decode;
use crate::{CallToolResponse, Dispatcher, Extensions, ProtocolVersion, mcp};

const CALL_ID: HeaderName = HeaderName::from_static("mcp-tool-call-id");
const REPLAYED: HeaderName = HeaderName::from_static("mcp-tool-replayed");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// The tools of a dispatcher over plain HTTP, for clients that speak no protocol for tools: a `tower::Service`.
///
/// | request | response |
/// | --- | --- |
/// | `GET /` | `{"tools": […]}`, the definitions as in `tools/list` |
/// | `GET /openapi.json` | an `OpenAPI` 3.1 document |
/// | `POST /{tool}` | calls a tool: the body is the arguments, the response the result |
///
/// The result is the structured value, or `null` for a tool that returns nothing. For content blocks it is the text of
/// a single text block, or else the array of blocks. The header `MCP-Tool-Call-Id` has the call's id, and
/// `Server-Timing` its duration. A tool is never called by `GET`, because any web page could make such a request.
///
/// For a tool with [`once`](macro@crate::mcp_tool), the header `Idempotency-Key` tells equal calls apart. If the result
/// is that of an earlier call, the response has the header `MCP-Tool-Replayed: true`.
///
/// An empty body means no arguments. Paths are exact, after one percent-decoding. They begin where the service is
/// mounted, so the router must remove the prefix, as axum's `nest_service` does.
///
/// With tasks (feature `tasks`), a tool with the key `task` can answer with a task, for a client that sends the header
/// `Prefer: respond-async` (RFC 7240):
///
/// | request | response |
/// | --- | --- |
/// | `POST /{tool}` | the result if the call ends soon, or else status 202 with the task and its URL in `Location` |
/// | `GET /tasks/{id}` | the task. Until it ends, `Retry-After` says when to ask again. After its end, `result` is the result of `tools/call`, or `error` says why there is none |
/// | `DELETE /tasks/{id}` | status 204: the task is cancelled, unless it has ended |
///
/// The list and the document contain only the tools that the caller sees. Their `Cache-Control` has the dispatcher's
/// `list_ttl` and `list_scope`. If there are visibility rules ([`visible`](crate::DispatcherBuilder::visible),
/// [`visible_by_scopes`](crate::DispatcherBuilder::visible_by_scopes)), it is `no-store`.
///
/// An error is `application/problem+json` (RFC 9457). Its `detail` is the message.
///
/// | status | meaning |
/// | --- | --- |
/// | 400 | the body is not JSON, the `Idempotency-Key` is not valid, or the tool failed with its author's message |
/// | 403 | the host or the origin is not allowed, the caller lacks scopes (see [`with_scope_challenge`](Self::with_scope_challenge)), or a [rule](crate::guide::audience#hidden-refused-shown) refuses the call |
/// | 404 | there is no such path or tool, or the caller does not see it |
/// | 405 | the path does not support this method; the header `Allow` lists the methods that it supports |
/// | 409 | the tool asks the user, and nobody can answer here; or the tool failed with the code `unavailable`, `declined` or `cancelled` |
/// | 413 | the body is larger than `max_argument_bytes` or [`with_max_body_bytes`](Self::with_max_body_bytes) |
/// | 415 | the body is not `application/json`, or has a `Content-Encoding` |
/// | 422 | arguments are invalid: for each, `errors` has its JSON pointer as a URI fragment, and says what is wrong |
/// | 429 | the caller has made too many calls (see [`limit_per_caller`](crate::DispatcherBuilder::limit_per_caller)); `Retry-After` says when to try again |
/// | 500 | an internal error, which is masked |
/// | 503 | the tool can be called again after the seconds in `Retry-After` |
/// | 504 | the call timed out |
///
/// As with [`Endpoint`](super::Endpoint), hosts and origins are checked, and the HTTP request is an extension of the
/// call. Cloning is cheap.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{http::PlainHttp, mcp_tool, tools, Dispatcher};
/// use tower_service::Service as _;
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// let mut plain_http = PlainHttp::new(dispatcher);
///
/// let request = http::Request::post("http://localhost/add")
///     .header("content-type", "application/json")
///     .body(r#"{"a": 2, "b": 3}"#.to_owned())?;
/// assert_eq!(plain_http.call(request).await?.status(), 200); // the body is `5`
/// # Ok(())
/// # }
/// ```
///
/// With axum, mount it with `Router::new().nest_service("/tools", plain_http)`.
#[derive(Debug, Clone)]
#[must_use]
pub struct PlainHttp {
    dispatcher: Dispatcher,
    settings: Arc<Settings>,
}

settings_methods!(PlainHttp);

impl PlainHttp {
    /// Creates a service for the tools of a dispatcher.
    pub fn new(dispatcher: Dispatcher) -> Self {
        Self { settings: Settings::new(dispatcher.settings().max_argument_bytes), dispatcher }
    }

    /// Tells callers which scopes they lack. Without this, a tool is hidden from a caller who lacks one of its scopes.
    ///
    /// With it, tools that are hidden only for lack of scopes (see
    /// [`visible_by_scopes`](crate::DispatcherBuilder::visible_by_scopes)) are in the list and in the document. A call
    /// to such a tool is answered with status 403 and the header `WWW-Authenticate`, as with
    /// [`Endpoint::with_scope_challenge`](super::Endpoint::with_scope_challenge).
    ///
    /// ```
    /// # use mcp_tool_runtime::{http::PlainHttp, Dispatcher};
    /// # let dispatcher = Dispatcher::builder().build()?;
    /// let metadata = "https://api.example.com/.well-known/oauth-protected-resource/tools";
    /// let plain_http = PlainHttp::new(dispatcher).with_scope_challenge(metadata);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn with_scope_challenge(mut self, resource_metadata_url: impl AsRef<str>) -> Self {
        self.settings().challenge_scopes(resource_metadata_url.as_ref());
        self
    }
}

tower_service!(PlainHttp, handle);

async fn handle<B: http_body::Body>(rest: PlainHttp, request: Request<B>) -> Result<Response<Body>, Infallible> {
    let (parts, body) = request.into_parts();
    let mut response = respond(&rest, parts, body).await.unwrap_or_else(Problem::into_response);
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}

async fn respond<B: http_body::Body>(rest: &PlainHttp, parts: Parts, body: B) -> Result<Response<Body>, Problem> {
    rest.settings.sources.check(&parts)?;
    let parts = Arc::new(parts);
    #[cfg_attr(not(feature = "tasks"), expect(unused_mut))]
    let mut extensions = Extensions::from_http(Arc::clone(&parts));
    let path = parts.uri.path();
    let name = path.strip_prefix('/').unwrap_or(path);
    if let Some(id) = name.strip_prefix("tasks/").filter(|_| rest.dispatcher.has_tasks()) {
        return tasks::respond(&rest.dispatcher, id, &parts.method, extensions).await;
    }
    if name.contains('/') {
        let text = "there is nothing at this path: a tool is called at `/{name}`, without a slash after it";
        return Err(Problem::new(StatusCode::NOT_FOUND, text));
    }
    let name = percent_decode(name).into_owned();
    let is_read = matches!(parts.method, Method::GET | Method::HEAD);
    let gate = rest.dispatcher.gate(&name, &extensions);
    let is_call = parts.method == Method::POST && !name.is_empty();
    let mut record = if is_call { rest.dispatcher.open_record(Carrier::PlainHttp) } else { OpenRecord::default() };
    rest.dispatcher.record_gate(&mut record, &gate, &extensions);
    match name.as_str() {
        "" if is_read => return Ok(list(rest, &extensions)),
        "" => return Err(Problem::not_allowed("list the tools with GET", "GET, HEAD")),
        "openapi.json" if is_read => return Ok(openapi(rest, &parts, &extensions)),
        "openapi.json" if gate.is_hidden() => {
            return Err(Problem::not_allowed("read the document with GET", "GET, HEAD"));
        }
        _ => {}
    }
    // Check scopes and rules before the rest of the request. Otherwise, an error about the rest could reveal that a
    // hidden tool exists.
    if let Some((text, header)) = rest.settings.scope_challenge(&gate, &name) {
        record.end(Outcome::Refused);
        return Err(Problem::new(StatusCode::FORBIDDEN, text).with_header(WWW_AUTHENTICATE, header));
    }
    if parts.method != Method::POST && !gate.is_hidden() {
        return Err(Problem::not_allowed("call a tool with POST", "POST"));
    }
    if !gate.is_open() {
        let of_request = (ProtocolVersion::LATEST, None);
        return Ok(result(
            &rest.dispatcher.reject(&gate, &name, &extensions, None, of_request, record).into_response()?,
        ));
    }
    check_json(&parts.headers)?;
    if parts.headers.get_all(CONTENT_ENCODING).iter().any(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity"))
    {
        let problem = Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body must not have a Content-Encoding");
        return Err(problem.with_header(ACCEPT_ENCODING, HeaderValue::from_static("identity")));
    }
    // The body consists of the arguments, so it must also stay within their limit.
    let limit = rest.settings.max_body_bytes.min(rest.dispatcher.settings().max_argument_bytes);
    let body = read_body(body, limit).await?;
    let arguments = read_arguments(&body)?;
    #[cfg(feature = "tasks")]
    if gate.is_once()
        && let Some(key) = idempotency_key(&parts.headers, arguments.as_ref().ok())?
    {
        extensions.insert(key);
    }
    let transport = TransportContext { extensions, record, ..TransportContext::default() };
    call(rest, gate, &name, (arguments, body.len()), transport).await
}

async fn call(
    rest: &PlainHttp,
    gate: Gate<'_>,
    name: &str,
    (arguments, argument_bytes): (Result<Tape<'_>, Box<Violation>>, usize),
    transport: TransportContext,
) -> Result<Response<Body>, Problem> {
    let prefers_task = tasks::is_preferred(&transport.extensions);
    let name = Value::from(name).to_string();
    let arguments = Some(arguments);
    let mut params = RequestParams { name: Some(&name), arguments, argument_bytes, ..RequestParams::default() };
    let mut prepared = rest.dispatcher.prepare(&mut params, ProtocolVersion::LATEST, transport, Some(gate));
    if prefers_task {
        return tasks::call(&rest.dispatcher, prepared).await;
    }
    // Borrow the call, because moving it copies a lot.
    let response = match prepared {
        Ok(ref mut call) => rest.dispatcher.run(call).await,
        Err(rejection) => rejection.into_response(),
    };
    Ok(result(&response?))
}

/// Reads the header `Idempotency-Key` of a call to a tool with `once`. The header must be sent only once, and have 1 to
/// 256 characters of printable ASCII. If the argument `idempotency_key` is a text that is not empty, the header must be
/// equal to it.
#[cfg(feature = "tasks")]
fn idempotency_key(
    headers: &::http::HeaderMap,
    arguments: Option<&Tape<'_>>,
) -> Result<Option<IdempotencyKey>, Problem> {
    let bad = |text: &str| Problem::new(StatusCode::BAD_REQUEST, format!("the header Idempotency-Key {text}"));
    let mut keys = headers.get_all("idempotency-key").iter();
    let Some(key) = keys.next() else { return Ok(None) };
    let key = key.to_str().ok().filter(|key| (1..=256).contains(&key.len()) && keys.next().is_none());
    let key = key.ok_or_else(|| bad("must be sent once, with 1 to 256 characters of printable ASCII"))?;
    let argument = arguments.map(|document| document.root().to_value()["idempotency_key"].take());
    if argument.as_ref().and_then(Value::as_str).is_some_and(|argument| !["", key].contains(&argument)) {
        return Err(bad("and the argument `idempotency_key` must be equal; send one of them"));
    }
    Ok(Some(IdempotencyKey(key.to_owned())))
}

fn read_arguments(body: &[u8]) -> Result<Result<Tape<'_>, Box<Violation>>, Problem> {
    // As in MCP, missing arguments count as an empty object.
    let body = if body.trim_ascii().is_empty() { b"{}" } else { body };
    let violation = match std::str::from_utf8(body).map(reader::read_text) {
        // In MCP, `null` also counts as missing arguments. Here, arguments are missing only if the body is empty.
        Ok(Ok(document)) if document.root().is_null() => Violation::root("expected an object, got null"),
        Ok(Ok(document)) => return Ok(Ok(document)),
        Ok(Err(violation)) => violation,
        Err(_) => Violation::root("expected UTF-8"),
    };
    // If the body is not JSON at all, refuse the request itself (status 400), instead of reporting wrong arguments.
    serde_json::from_slice::<&RawValue>(body)
        .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, format!("the body is not valid JSON: {error}")))?;
    Ok(Err(Box::new(violation)))
}

/// Writes the response to a call: the value or a problem, with the id and the duration of the call in headers.
fn result(response: &CallToolResponse) -> Response<Body> {
    let problem = Problem::of_question(response).or_else(|| response.error().map(Problem::of_tool));
    let mut written = match problem {
        Some(problem) => problem.into_response(),
        None => json_response(response.value().map_or("null", RawValue::get).as_bytes().to_vec()),
    };
    let headers = written.headers_mut();
    headers.extend(HeaderValue::from_str(response.call_id().as_str()).ok().map(|id| (CALL_ID, id)));
    let timing = format!("tool;dur={}", milliseconds(response.duration()));
    headers.extend(HeaderValue::from_str(&timing).ok().map(|timing| (SERVER_TIMING, timing)));
    if response.is_replayed() {
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
    }
    written
}

/// Writes the definitions that the caller sees. If the server challenges callers who lack scopes, also writes the
/// definitions of tools that are hidden only because this caller lacks scopes.
fn list(rest: &PlainHttp, extensions: &Extensions) -> Response<Body> {
    let challenges = rest.settings.resource_metadata.is_some();
    let list = rest.dispatcher.caller_list(ProtocolVersion::LATEST, extensions, challenges);
    let mut bytes = Vec::with_capacity(list.max_length());
    bytes.extend_from_slice(br#"{"tools":"#);
    list.write_tools(&mut bytes);
    bytes.push(b'}');
    with_caching(rest, json_response(bytes))
}

fn openapi(rest: &PlainHttp, parts: &Parts, extensions: &Extensions) -> Response<Body> {
    let access = Access {
        ignores_scopes: rest.settings.resource_metadata.is_some(),
        needs_token: parts.extensions.get::<TokenChecked>().is_some(),
    };
    let mut document = rest.dispatcher.openapi_for(extensions, access);
    // This URL is relative to the document, so it is the path where the service is mounted. Without `servers`, the
    // default would be the root of the host.
    document["servers"] = json!([{ "url": "." }]);
    with_caching(rest, json_response(document.to_string().into_bytes()))
}

/// Sets who may cache the list or the document. If there are visibility rules, nobody may, since the next user of the
/// same browser may be a different caller.
fn with_caching(rest: &PlainHttp, mut response: Response<Body>) -> Response<Body> {
    let (ttl, scope) = rest.dispatcher.list_caching();
    let caching = match scope {
        _ if rest.dispatcher.has_rules() => "no-store".to_owned(),
        mcp::CacheScope::Public => format!("public, max-age={}", ttl.as_secs()),
        mcp::CacheScope::Private => format!("private, max-age={}", ttl.as_secs()),
    };
    response.headers_mut().extend(HeaderValue::from_str(&caching).ok().map(|caching| (CACHE_CONTROL, caching)));
    response
}

pub(super) fn json_response(bytes: Vec<u8>) -> Response<Body> {
    Body::whole(bytes).into_response(StatusCode::OK, JSON)
}
