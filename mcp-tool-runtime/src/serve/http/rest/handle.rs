//! Answers the requests of [`Rest`](super::Rest).

use std::sync::Arc;

use ::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use ::http::request::Parts;
use ::http::{HeaderValue, Method, Response, StatusCode};
use serde_json::json;
use serde_json::value::RawValue;

use super::super::Body;
use super::super::handle::{Rejected, read_body};
use super::super::media_types::is_json;
use super::super::problem::Problem;
use super::Inner;
use crate::arguments::violations;
use crate::call::milliseconds;
use crate::json::reader;
use crate::{CallToolRequest, CallToolResponse, Extensions, ProtocolVersion, mcp};

const CALL_ID: HeaderName = HeaderName::from_static("mcp-tool-call-id");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

pub(super) async fn respond<B: http_body::Body>(
    inner: &Inner,
    parts: Parts,
    body: B,
) -> Result<Response<Body>, Problem> {
    if let Some(text) = inner.settings.sources.find_error(&parts) {
        return Err(Problem::new(StatusCode::FORBIDDEN, text));
    }
    // A router may not remove the prefix under which the service is mounted, so only the last segment counts.
    let name = parts.uri.path().rsplit('/').next().unwrap_or_default().to_owned();
    match (&parts.method, name.as_str()) {
        (&Method::POST, "") => {
            let text = "the path must end with the name of a tool, without a slash after it";
            return Err(Problem::new(StatusCode::NOT_FOUND, text));
        }
        (&Method::POST, _) => {}
        (&Method::GET | &Method::HEAD, "") => return Ok(list(inner, parts)),
        (&Method::GET | &Method::HEAD, "openapi.json") => return Ok(openapi(inner, parts)),
        (_, name) => {
            let (text, allowed) = match name {
                "" => ("list the tools with GET", "GET, HEAD"),
                "openapi.json" => ("read the document with GET", "GET, HEAD"),
                _ => ("call a tool with POST", "POST"),
            };
            let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, text);
            return Err(problem.with_header(ALLOW, HeaderValue::from_static(allowed)));
        }
    }
    if !is_json(&parts.headers) {
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the Content-Type must be application/json"));
    }
    let body = read_body(body, inner.settings.max_body_bytes).await;
    let body = body.map_err(|Rejected(status, text)| Problem::new(status, text))?;
    call(inner, parts, &name, &body).await
}

async fn call(inner: &Inner, parts: Parts, name: &str, body: &[u8]) -> Result<Response<Body>, Problem> {
    // As in the other protocols, arguments that are absent are an empty object.
    let body: &[u8] = if body.trim_ascii().is_empty() { b"{}" } else { body };
    let text: &RawValue = serde_json::from_slice(body)
        .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, format!("the body is not valid JSON: {error}")))?;
    let extensions = Extensions::from_http(Arc::new(parts));
    let challenge = inner.settings.scope_challenge.as_ref();
    if let Some(problem) = challenge.and_then(|challenge| challenge.problem(&inner.dispatcher, name, &extensions)) {
        return Err(problem);
    }
    // Checked before the arguments: for an unknown tool, wrong arguments get the same response as right ones.
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
        None => json_response(response.value().map_or("null", RawValue::get).as_bytes().to_vec()),
    };
    let headers = written.headers_mut();
    headers.extend(HeaderValue::from_str(response.call_id().as_str()).ok().map(|id| (CALL_ID, id)));
    let timing = format!("tool;dur={}", milliseconds(response.duration()));
    headers.extend(HeaderValue::from_str(&timing).ok().map(|timing| (SERVER_TIMING, timing)));
    written
}

/// Writes the definitions that the caller sees. With a scope challenge, these include the tools that are hidden only for lack of scopes.
fn list(inner: &Inner, parts: Parts) -> Response<Body> {
    let extensions = Extensions::from_http(Arc::new(parts));
    let challenges = inner.settings.scope_challenge.is_some();
    let list = inner.dispatcher.caller_list(ProtocolVersion::LATEST, &extensions, challenges);
    let mut bytes = Vec::with_capacity(list.length());
    bytes.extend_from_slice(br#"{"tools":"#);
    list.write_tools(&mut bytes);
    bytes.push(b'}');
    with_caching(inner, json_response(bytes))
}

fn openapi(inner: &Inner, parts: Parts) -> Response<Body> {
    let extensions = Extensions::from_http(Arc::new(parts));
    let mut document = inner.dispatcher.openapi_for(&extensions, inner.settings.scope_challenge.is_some());
    // Without it, the paths begin at the root of the host. Relative to the document, this is where the service is mounted.
    document["servers"] = json!([{ "url": "." }]);
    with_caching(inner, json_response(document.to_string().into_bytes()))
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

fn json_response(bytes: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(Body::whole(bytes));
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}
