//! The tools as plain HTTP resources.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};

use ::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use ::http::request::Parts;
use ::http::{HeaderValue, Method, Request, Response, StatusCode};
use serde_json::value::RawValue;

use super::handle::{Rejected, read_body};
use super::media_types::is_json;
use super::problem::Problem;
use super::sources::AllowedSources;
use super::{Body, ResponseFuture};
use crate::arguments::violations;
use crate::call::milliseconds;
use crate::document::reader;
use crate::{CallToolRequest, CallToolResponse, Dispatcher, Extensions, ProtocolVersion, mcp};

const CALL_ID: HeaderName = HeaderName::from_static("mcp-tool-call-id");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The tools of a dispatcher over plain HTTP, for clients that speak no protocol for tools: a `tower::Service`.
///
/// | request | response |
/// | --- | --- |
/// | `GET /` | `{"tools": […]}`, the definitions as in `tools/list` |
/// | `GET /openapi.json` | an `OpenAPI` 3.1 document |
/// | `POST /{tool}` | calls a tool: the body is the arguments, the response the result |
///
/// The result is the structured value, or `null` for a tool that returns nothing. For content blocks it is the text of a single text
/// block, or else the array of blocks. The header `MCP-Tool-Call-Id` has the call's id, and `Server-Timing` its duration. A tool is never
/// called by `GET`, because any web page could make such a request.
///
/// The list and the document contain only the tools that the caller sees. Their `Cache-Control` has the dispatcher's `list_ttl` and
/// `list_scope`. If there are rules of [`visible`](crate::DispatcherBuilder::visible), it is `no-store`.
///
/// An error is `application/problem+json` (RFC 9457). Its `detail` is the message.
///
/// | status | meaning |
/// | --- | --- |
/// | 400 | the body is not JSON, or the tool failed with a message of its author |
/// | 403 | the host or the origin is not allowed |
/// | 404 | there is no such tool, or the caller does not see it |
/// | 405 | a tool is called with `POST` only |
/// | 409 | the tool asks the user, and nobody can answer here; an error with the code `unavailable`, `declined` or `cancelled` |
/// | 413, 415 | the body is too large, or not `application/json` |
/// | 422 | arguments are invalid: `errors` has a JSON pointer to each, with what is wrong |
/// | 500 | an internal error, which is masked |
/// | 503 | the tool can be called again after the seconds in `Retry-After` |
/// | 504 | the call timed out |
///
/// Hosts and origins are checked as by [`Endpoint`](super::Endpoint), and the HTTP request is an extension of the call as there.
/// Cloning is cheap.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{http::Rest, mcp_tool, tools, Dispatcher};
/// use tower_service::Service as _;
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// let mut rest = Rest::new(dispatcher).with_info("calculator", "1.0.0");
///
/// let request = http::Request::post("http://localhost/add")
///     .header("content-type", "application/json")
///     .body(r#"{"a": 2, "b": 3}"#.to_owned())?;
/// assert_eq!(rest.call(request).await?.status(), 200); // the body is `5`
/// # Ok(())
/// # }
/// ```
///
/// With axum, mount it with `Router::new().nest_service("/tools", rest)`.
#[derive(Clone)]
pub struct Rest {
    inner: Arc<Inner>,
}

#[derive(Clone)]
struct Inner {
    dispatcher: Dispatcher,
    sources: AllowedSources,
    max_body_bytes: usize,
    /// The name and the version of the server.
    info: (String, String),
}

impl Rest {
    /// Creates a service for the tools of a dispatcher.
    #[must_use]
    pub fn new(dispatcher: Dispatcher) -> Self {
        let max_body_bytes = dispatcher.max_argument_bytes();
        let info = ("tools".to_owned(), "1.0.0".to_owned());
        Self { inner: Arc::new(Inner { dispatcher, sources: AllowedSources::default(), max_body_bytes, info }) }
    }

    /// Sets the name and version of the server in the `OpenAPI` document.
    #[must_use]
    pub fn with_info(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.edit().info = (name.into(), version.into());
        self
    }

    /// Limits the size of a request's body; the dispatcher's `max_argument_bytes` by default. A larger body gets status 413.
    #[must_use]
    pub fn with_max_body_bytes(mut self, bytes: usize) -> Self {
        self.edit().max_body_bytes = bytes;
        self
    }

    /// Sets the hosts that a request's `Host` may name, instead of the loopback hosts. See
    /// [`Endpoint::with_allowed_hosts`](super::Endpoint::with_allowed_hosts).
    #[must_use]
    pub fn with_allowed_hosts(mut self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.edit().sources.allow_hosts(hosts.into_iter().map(Into::into));
        self
    }

    /// Allows any host. Use it only behind a proxy that checks `Host` itself.
    #[must_use]
    pub fn with_any_host(mut self) -> Self {
        self.edit().sources.allow_any_host();
        self
    }

    /// Sets the origins of web pages that may call the server, instead of the loopback hosts. See
    /// [`Endpoint::with_allowed_origins`](super::Endpoint::with_allowed_origins).
    #[must_use]
    pub fn with_allowed_origins(mut self, origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.edit().sources.allow_origins(origins.into_iter().map(Into::into));
        self
    }

    fn edit(&mut self) -> &mut Inner {
        Arc::make_mut(&mut self.inner)
    }
}

impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { dispatcher, sources, max_body_bytes, info: _ } = &*self.inner;
        f.debug_struct("Rest")
            .field("dispatcher", dispatcher)
            .field("sources", sources)
            .field("max_body_bytes", max_body_bytes)
            .finish_non_exhaustive()
    }
}

impl<B> tower_service::Service<Request<B>> for Rest
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> ResponseFuture {
        let inner = Arc::clone(&self.inner);
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            Ok(respond(&inner, parts, body).await.unwrap_or_else(Problem::into_response))
        })
    }
}

async fn respond<B: http_body::Body>(inner: &Inner, parts: Parts, body: B) -> Result<Response<Body>, Problem> {
    if let Some(text) = inner.sources.find_error(&parts) {
        return Err(Problem::new(StatusCode::FORBIDDEN, text));
    }
    // A router may leave the path in front of the service: the last segment counts.
    let name = parts.uri.path().rsplit('/').next().unwrap_or_default().to_owned();
    match (&parts.method, name.as_str()) {
        (&Method::POST, _) => {}
        (&Method::GET, "") => return Ok(list(inner, parts)),
        (&Method::GET, "openapi.json") => return Ok(openapi(inner, parts)),
        _ => {
            let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "call a tool with POST");
            return Err(problem.with_header(ALLOW, HeaderValue::from_static("POST")));
        }
    }
    if !is_json(&parts.headers) {
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the Content-Type must be application/json"));
    }
    let body = read_body(body, inner.max_body_bytes).await;
    let body = body.map_err(|Rejected(status, text)| Problem::new(status, text))?;
    call(inner, parts, &name, &body).await
}

async fn call(inner: &Inner, parts: Parts, name: &str, body: &[u8]) -> Result<Response<Body>, Problem> {
    let text: &RawValue = serde_json::from_slice(body)
        .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, format!("the body is not valid JSON: {error}")))?;
    let extensions = Extensions::from_http(Arc::new(parts));
    // Checked before the arguments are read, which must not change the answer for an unknown tool.
    if let Some(error) = inner.dispatcher.unknown_name(name, &extensions) {
        return Err(Problem::of_request(&error));
    }
    let arguments = match reader::read_text(text.get()) {
        Ok(document) => document.root().to_value(),
        Err(violation) => {
            return Err(Problem::of_tool(&violations::invalid_arguments(std::slice::from_ref(&violation))));
        }
    };
    match inner.dispatcher.call(request(name, arguments, extensions)).await {
        Ok(response) => Ok(result(&response)),
        Err(error) => Err(Problem::of_request(&error)),
    }
}

fn request(name: &str, arguments: serde_json::Value, extensions: Extensions) -> CallToolRequest {
    let mut request = CallToolRequest::new(name, arguments);
    request.extensions = extensions;
    request
}

/// Writes the response of a call that ran.
fn result(response: &CallToolResponse) -> Response<Body> {
    let problem = Problem::of_question(response).or_else(|| response.error().map(Problem::of_tool));
    let mut written = match problem {
        Some(problem) => problem.into_response(),
        None => json(response.value().map_or("null", RawValue::get).as_bytes().to_vec()),
    };
    let headers = written.headers_mut();
    headers.extend(HeaderValue::from_str(response.call_id().as_str()).ok().map(|id| (CALL_ID, id)));
    let timing = format!("tool;dur={}", milliseconds(response.duration()));
    headers.extend(HeaderValue::from_str(&timing).ok().map(|timing| (SERVER_TIMING, timing)));
    written
}

/// Writes the definitions that the caller sees.
fn list(inner: &Inner, parts: Parts) -> Response<Body> {
    let extensions = Extensions::from_http(Arc::new(parts));
    let list = inner.dispatcher.caller_list(ProtocolVersion::LATEST, &extensions, false);
    let mut bytes = Vec::with_capacity(list.length());
    bytes.extend_from_slice(br#"{"tools":"#);
    list.write_tools(&mut bytes);
    bytes.push(b'}');
    with_caching(inner, json(bytes))
}

fn openapi(inner: &Inner, parts: Parts) -> Response<Body> {
    let extensions = Extensions::from_http(Arc::new(parts));
    let (name, version) = &inner.info;
    let document = inner.dispatcher.openapi_for(&extensions, name, version);
    with_caching(inner, json(document.to_string().into_bytes()))
}

/// Says who may cache a list. With rules of visibility, nobody: the next user of the same browser can be another caller.
fn with_caching(inner: &Inner, mut response: Response<Body>) -> Response<Body> {
    let (ttl, scope) = inner.dispatcher.list_caching();
    let caching = match scope {
        _ if inner.dispatcher.has_rules() => "no-store".to_owned(),
        mcp::CacheScope::Public => format!("public, max-age={}", ttl.as_secs()),
        mcp::CacheScope::Private => format!("private, max-age={}", ttl.as_secs()),
    };
    response.headers_mut().extend(HeaderValue::from_str(&caching).ok().map(|caching| (CACHE_CONTROL, caching)));
    response
}

fn json(bytes: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(Body::whole(bytes));
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}
