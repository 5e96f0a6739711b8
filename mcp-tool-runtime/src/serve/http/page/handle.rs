//! Answers the requests of the page.

use std::convert::Infallible;
use std::sync::Arc;

use ::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use ::http::request::Parts;
use ::http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::super::body::{Body, Events, JSON};
use super::super::handle::{MAX_WAITING_REPORTS, read_body, stream};
use super::super::media_types::check_json;
use super::super::problem::Problem;
use super::super::rest::tasks;
use super::super::sources::forbidden;
use super::{Page, document, overview};
use crate::dispatcher::TaskAnswer;
use crate::serve::tasks::error_parts;
use crate::{CallToolRequest, CallToolResponse, Dispatcher, Extensions, Progress, ProtocolVersion, mcp, otc};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The headers that every response has besides its own.
const HEADERS: [(HeaderName, &str); 5] = [
    // What a caller sees depends on the caller, and the page on the version of the server.
    (CACHE_CONTROL, "no-store"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

pub(super) async fn handle<B>(page: Page, request: Request<B>) -> Result<Response<Body>, Infallible>
where
    B: http_body::Body,
{
    let (parts, body) = request.into_parts();
    Ok(with_headers(respond(page, parts, body).await))
}

pub(super) fn with_headers(answer: Result<Response<Body>, Problem>) -> Response<Body> {
    let mut response = answer.unwrap_or_else(Problem::into_response);
    response.headers_mut().extend(HEADERS.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}

async fn respond<B: http_body::Body>(page: Page, parts: Parts, body: B) -> Result<Response<Body>, Problem> {
    page.settings.sources.check_page(&parts)?;
    let parts = Arc::new(parts);
    let extensions = Extensions::from_http(Arc::clone(&parts));
    let query = parts.uri.query().unwrap_or_default();
    if parts.method == Method::POST && !is_same_origin(&parts) {
        return Err(forbidden("only the page itself may send this request").into());
    }
    // The path may have any prefix, with or without a slash at the end: the page asks with relative addresses that are only a query.
    match (&parts.method, query) {
        (&Method::GET | &Method::HEAD, _) => Ok(document()),
        // Not `GET`, so that a router can tell the document, which everybody may read, from the requests that need a token.
        (&Method::POST, "tools") => {
            Ok(Body::whole(overview::overview(&page, &extensions)).into_response(StatusCode::OK, JSON))
        }
        (&Method::POST, "call") => {
            check_json(&parts.headers)?;
            let body = read_body(body, page.settings.max_body_bytes).await?;
            let mut request: CallToolRequest = serde_json::from_slice(&body)
                .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, format!("the body is not a call: {error}")))?;
            request.extensions = extensions;
            Ok(call(page.dispatcher, request))
        }
        (&Method::POST, query) if query.starts_with("task=") || query.starts_with("cancel=") => {
            let (name, id) = query.split_once('=').unwrap_or_default();
            let method = if name == "task" { Method::GET } else { Method::DELETE };
            tasks::respond(&page.dispatcher, id, &method, extensions).await
        }
        _ => Err(not_allowed("GET, HEAD, POST")),
    }
}

pub(super) fn not_allowed(methods: &'static str) -> Problem {
    Problem::not_allowed("open the page with GET", methods)
}

pub(super) fn document() -> Response<Body> {
    let mut page = Body::whole(document::html()).into_response(StatusCode::OK, "text/html; charset=utf-8");
    page.headers_mut().insert(CONTENT_SECURITY_POLICY, document::POLICY);
    page
}

/// Returns `false` for a request that a browser made for another page.
fn is_same_origin(parts: &Parts) -> bool {
    // `none` is an address that a person typed. A program sends no such header.
    matches!(parts.headers.get(SEC_FETCH_SITE).map(HeaderValue::as_bytes), None | Some(b"same-origin" | b"none"))
}

/// Calls a tool. The response is an event stream: the progress reports, then the result in the form of each protocol,
/// the task that the call became, or the error of the request.
fn call(dispatcher: Dispatcher, request: CallToolRequest) -> Response<Body> {
    let (send, reports) = mpsc::channel(MAX_WAITING_REPORTS);
    let mut request = request.with_progress(move |progress| {
        let Progress { done, total, message } = progress;
        let report = json!({ "progress": { "done": done, "total": total, "message": message } });
        // A page that reads too slowly misses reports.
        drop(send.try_send(report.to_string().into_bytes()));
    });
    // Dropping the body aborts the task, and so cancels the call.
    let call = tokio::spawn(async move {
        match tasks::run(&dispatcher, dispatcher.prepare_request(&mut request, None, None)).await {
            Ok(TaskAnswer::Ended(response)) => result(&response),
            Ok(TaskAnswer::Task(snapshot)) => [br#"{"task":"#.as_slice(), &snapshot.plain(), b"}"].concat(),
            Err(error) => {
                let (code, message, data) = error_parts(error);
                json!({ "error": { "code": code, "message": message, "data": data } }).to_string().into_bytes()
            }
        }
    });
    stream(Body::events(Events { first: None, reports, call: Some(call), result: None }))
}

/// Writes the result in each form that the page shows.
///
/// The event is longer than a message of one protocol, and bounded like it. It has the value seven times at most: three times in each result
/// of MCP, where escapes make the text twice as long, and once in that of Open Tool Calling. So it has seven times `max_result_bytes` at most,
/// beside the parts of an error. The answer to invalid arguments, of 16 KiB in any protocol, is in it four times.
fn result(response: &CallToolResponse) -> Vec<u8> {
    #[derive(Serialize)]
    struct Event<'a> {
        /// Each with a JSON pointer into the arguments.
        errors: Vec<Value>,
        mcp: mcp::CallToolResult,
        mcp_legacy: mcp::CallToolResult,
        otc: otc::CallToolResponse<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        next_cursor: Option<&'a str>,
    }
    let errors = response.error().map_or(&[][..], |error| error.errors());
    let event = Event {
        errors: errors.iter().map(|error| json!({ "pointer": error.pointer(), "message": error.message() })).collect(),
        mcp: response.to_mcp(ProtocolVersion::LATEST),
        mcp_legacy: response.to_mcp(ProtocolVersion::V2025_11_25),
        otc: response.to_otc(),
        next_cursor: response.next_cursor(),
    };
    // Results serialize: the dispatcher has checked that every number is finite.
    serde_json::to_vec(&event).unwrap_or_default()
}
