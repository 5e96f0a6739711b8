//! Answers the requests of [`Rest`](super::Rest).

use std::convert::Infallible;
use std::sync::Arc;

use ::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, HeaderName, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use ::http::request::Parts;
use ::http::{HeaderValue, Method, Request, Response, StatusCode};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::super::TokenChecked;
use super::super::body::{Body, JSON};
use super::super::handle::read_body;
use super::super::media_types::check_json;
use super::super::problem::Problem;
use super::Rest;
use crate::arguments::violations;
use crate::call::milliseconds;
use crate::dispatcher::{Access, Gate, TransportContext};
use crate::json::reader;
use crate::json::tape::Tape;
use crate::json::violation::Violation;
use crate::mcp::params::RequestParams;
use crate::schema::reference::percent_decode;
use crate::{CallToolResponse, Extensions, ProtocolVersion, mcp};

const CALL_ID: HeaderName = HeaderName::from_static("mcp-tool-call-id");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

pub(super) async fn handle<B>(rest: Rest, request: Request<B>) -> Result<Response<Body>, Infallible>
where
    B: http_body::Body,
{
    let (parts, body) = request.into_parts();
    let mut response = respond(&rest, parts, body).await.unwrap_or_else(Problem::into_response);
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}

async fn respond<B: http_body::Body>(rest: &Rest, parts: Parts, body: B) -> Result<Response<Body>, Problem> {
    rest.settings.sources.check(&parts)?;
    let parts = Arc::new(parts);
    let extensions = Extensions::from_http(Arc::clone(&parts));
    let path = parts.uri.path();
    let name = path.strip_prefix('/').unwrap_or(path);
    if let Some(id) = name.strip_prefix("tasks/").filter(|_| rest.dispatcher.has_tasks()) {
        return super::tasks::respond(&rest.dispatcher, id, &parts.method, extensions).await;
    }
    if name.contains('/') {
        let text = "there is nothing at this path: a tool is called at `/{name}`, without a slash after it";
        return Err(Problem::new(StatusCode::NOT_FOUND, text));
    }
    let name = percent_decode(name).into_owned();
    let is_read = matches!(parts.method, Method::GET | Method::HEAD);
    let gate = rest.dispatcher.gate(&name, &extensions);
    match name.as_str() {
        "" if is_read => return Ok(list(rest, &extensions)),
        "" => return Err(Problem::not_allowed("list the tools with GET", "GET, HEAD")),
        "openapi.json" if is_read => return Ok(openapi(rest, &parts, &extensions)),
        "openapi.json" if gate.is_hidden() => {
            return Err(Problem::not_allowed("read the document with GET", "GET, HEAD"));
        }
        _ => {}
    }
    // Before all that concerns the request: for an unknown tool, each request gets the same response.
    if let Some((text, header)) = rest.settings.scope_challenge(&gate, &name) {
        return Err(Problem::new(StatusCode::FORBIDDEN, text).with_header(WWW_AUTHENTICATE, header));
    }
    if parts.method != Method::POST && !gate.is_hidden() {
        return Err(Problem::not_allowed("call a tool with POST", "POST"));
    }
    if !gate.is_open() {
        return Ok(result(&rest.dispatcher.reject(&gate, &name, &extensions).into_response()?));
    }
    check_json(&parts.headers)?;
    if parts.headers.get_all(CONTENT_ENCODING).iter().any(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity"))
    {
        let problem = Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body must not have a Content-Encoding");
        return Err(problem.with_header(ACCEPT_ENCODING, HeaderValue::from_static("identity")));
    }
    // The body is the arguments, so their limit is a limit of the body.
    let limit = rest.settings.max_body_bytes.min(rest.dispatcher.max_argument_bytes());
    let body = read_body(body, limit).await?;
    call(rest, gate, &name, &body, extensions).await
}

async fn call(
    rest: &Rest,
    gate: Gate<'_>,
    name: &str,
    body: &[u8],
    extensions: Extensions,
) -> Result<Response<Body>, Problem> {
    let prefers_task = super::tasks::is_preferred(&extensions);
    let arguments = Some(Ok(read_arguments(body)?));
    let name = Value::from(name).to_string();
    let mut params = RequestParams { name: Some(&name), arguments, ..RequestParams::default() };
    let transport = TransportContext { extensions, ..TransportContext::default() };
    let mut prepared = rest.dispatcher.prepare(&mut params, ProtocolVersion::LATEST, transport, Some(gate));
    if prefers_task {
        return super::tasks::call(&rest.dispatcher, prepared).await;
    }
    // Borrowed, because it is large to move.
    let response = match prepared {
        Ok(ref mut call) => rest.dispatcher.run(call).await,
        Err(rejection) => rejection.into_response(),
    };
    Ok(result(&response?))
}

fn read_arguments(body: &[u8]) -> Result<Tape<'_>, Problem> {
    // As in the other protocols, arguments that are absent are an empty object.
    let body = if body.trim_ascii().is_empty() { b"{}" } else { body };
    let violation = match std::str::from_utf8(body).map(reader::read_text) {
        // Elsewhere `null` stands for arguments that are absent. Here the body is the arguments.
        Ok(Ok(document)) if document.root().is_null() => Violation::root("expected an object, got null"),
        Ok(Ok(document)) => return Ok(document),
        Ok(Err(violation)) => violation,
        Err(_) => Violation::root("expected UTF-8"),
    };
    // A body that is no JSON at all is a wrong request, and not wrong arguments.
    serde_json::from_slice::<&RawValue>(body)
        .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, format!("the body is not valid JSON: {error}")))?;
    Err(Problem::of_tool(&violations::invalid_arguments(std::slice::from_ref(&violation))))
}

/// Writes the response of a call that ran.
pub(super) fn result(response: &CallToolResponse) -> Response<Body> {
    let problem = Problem::of_question(response).or_else(|| response.error().map(Problem::of_tool));
    let mut written = match problem {
        Some(problem) => problem.into_response(),
        None => json_response(response.value().map_or("null", RawValue::get).as_bytes().to_vec()),
    };
    let headers = written.headers_mut();
    headers.extend(HeaderValue::from_str(response.call_id().as_str()).ok().map(|id| (CALL_ID, id)));
    let timing = format!("tool;dur={}", milliseconds(response.duration()));
    headers.extend(HeaderValue::from_str(&timing).ok().map(|timing| (SERVER_TIMING, timing)));
    written
}

/// Writes the definitions that the caller sees. With a scope challenge, these include the tools that are hidden only for lack of scopes.
fn list(rest: &Rest, extensions: &Extensions) -> Response<Body> {
    let challenges = rest.settings.resource_metadata.is_some();
    let list = rest.dispatcher.caller_list(ProtocolVersion::LATEST, extensions, challenges);
    let mut bytes = Vec::with_capacity(list.length());
    bytes.extend_from_slice(br#"{"tools":"#);
    list.write_tools(&mut bytes);
    bytes.push(b'}');
    with_caching(rest, json_response(bytes))
}

fn openapi(rest: &Rest, parts: &Parts, extensions: &Extensions) -> Response<Body> {
    let access = Access {
        ignores_scopes: rest.settings.resource_metadata.is_some(),
        needs_token: parts.extensions.get::<TokenChecked>().is_some(),
    };
    let mut document = rest.dispatcher.openapi_for(extensions, access);
    // Without it, the paths begin at the root of the host. Relative to the document, this is where the service is mounted.
    document["servers"] = json!([{ "url": "." }]);
    with_caching(rest, json_response(document.to_string().into_bytes()))
}

/// Says who may cache a list. With rules of visibility, nobody: the next user of the same browser can be another caller.
fn with_caching(rest: &Rest, mut response: Response<Body>) -> Response<Body> {
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
