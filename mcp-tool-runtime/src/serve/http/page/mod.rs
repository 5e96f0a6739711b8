//! A web page that shows the tools of a dispatcher and calls them (feature `page`).
//!
//! [`document`] builds the page: one HTML document with its style and script, and a `Content-Security-Policy` that
//! forbids everything else. [`overview`] is what the page shows before a call.

mod document;
mod overview;

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use ::http::header::{CACHE_CONTROL, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use ::http::request::Parts;
use ::http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::body::{Body, Events};
use super::handle::{MAX_WAITING_REPORTS, read_body, stream};
use super::headers::{check_json, forbidden};
use super::problem::Problem;
use super::rest::{json_response, tasks};
use super::settings::{Settings, settings_methods, tower_service};
use crate::dispatcher::TaskAnswer;
use crate::operations::Carrier;
use crate::serve::protocol::error_parts;
use crate::{CallToolRequest, CallToolResponse, Dispatcher, Extensions, Progress, ProtocolVersion, mcp, otc};
pub use document::PageDocument;
use overview::Report;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The headers that every response of the page and of its document has.
const HEADERS: [(HeaderName, &str); 5] = [
    // No response may be cached: the list of tools depends on the caller, and the document on the server's version.
    (CACHE_CONTROL, "no-store"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// A web page to look at the tools of a dispatcher and to try them: a `tower::Service`.
///
/// The page lists the tools with their descriptions, hints and tags. With the feature `lint`, it also shows their
/// sizes, and what known clients would refuse or drop. For each tool it makes a form from the input schema, calls the
/// tool, and shows its progress, its result or its error, with each invalid argument at its field. It shows the
/// questions of a tool as dialogs (feature `ask`), and every request and response in the form of each protocol. The
/// page does not check arguments itself: what it shows is what a model would read. It lists the calls since it was
/// opened, and makes links that open a tool with its form filled. The [guide](crate::guide::page) has the details.
///
/// **Do not expose the page to the internet without authentication.** Whoever can open it can call every tool that the
/// [visibility rules](crate::DispatcherBuilder::visible) show them. Put the layer that authenticates the callers of
/// your server in front of it, or mount it only in debug builds. Behind a layer that checks bearer tokens, mount
/// [`document`](Self::document) next to the page.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{http::Page, mcp_tool, tools, Dispatcher};
/// use tower_service::Service as _;
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// let mut page = Page::new(dispatcher);
///
/// let response = page.call(http::Request::get("http://localhost/").body(String::new())?).await?;
/// assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
/// # Ok(())
/// # }
/// ```
///
/// With axum, mount it with `Router::new().nest_service("/try", page)`, at any path. The whole page is at this one
/// path:
///
/// | request | response |
/// | --- | --- |
/// | `GET` | the page |
/// | `POST ?tools` | the tools that the caller sees, with findings and sizes (feature `lint`) |
/// | `POST ?call` | calls a tool: the body is the `params` of MCP's `tools/call`, the response an event stream with progress and the result |
/// | `POST ?task=ID`, `POST ?cancel=ID` | reads or cancels a [task](crate::guide::long_work) (feature `tasks`) |
///
/// # Security
///
/// The page checks hosts as [`Endpoint`](super::Endpoint) does. A request with an `Origin` gets status 403, unless this
/// is the page's own origin or an [allowed origin](Self::with_allowed_origins). The page's own origin has the host and
/// port that `Host` names. Behind a proxy that replaces `Host`, allow the page's origin explicitly. A `POST` with a
/// `Sec-Fetch-Site` other than `same-origin` or `none` also gets status 403. A call also needs the content type
/// `application/json`. So no other web page can call a tool.
///
/// The page loads no other files: style and script are part of the document, and its `Content-Security-Policy` allows
/// exactly these two by their hashes, requests to its own origin, and images and sounds in `data:` URLs. Frames, forms,
/// `eval` and the parsing of strings as HTML are forbidden. Names, descriptions, results and errors are shown as text,
/// never as HTML, and a link in a result is shown, not followed.
///
/// The HTTP request is an extension of a call, as with [`Endpoint`](super::Endpoint). Closing the page, or pressing its
/// button *Cancel*, cancels the call: its future is dropped, but a `blocking` function runs to its end. Cloning is
/// cheap. Calls need a tokio runtime, which every hyper server has.
#[derive(Debug, Clone)]
#[must_use]
pub struct Page {
    dispatcher: Dispatcher,
    settings: Arc<Settings>,
    /// The findings and sizes of the tools. They are computed when a page first asks for the tools, because `lint`
    /// would slow down the start of the server.
    report: Arc<OnceLock<Report>>,
}

settings_methods!(Page);

impl Page {
    /// Creates the page for the tools of a dispatcher.
    pub fn new(dispatcher: Dispatcher) -> Self {
        // If a tool asks the user, the page calls it again with the answers and the state, so a request can be larger
        // than the arguments.
        let settings = Settings::new(dispatcher.settings().max_argument_bytes.saturating_mul(4));
        Self { dispatcher, settings, report: Arc::default() }
    }

    /// Returns a service that serves only the HTML of the page. It neither lists the tools nor calls them.
    ///
    /// A browser cannot send a token when it opens a page. So mount the document without authentication, and the page
    /// behind the layer that checks tokens, both at the same path: the document for `GET`, the page for `POST`. If the
    /// layer answers a request of the page with status 401, the page asks for a token and sends it in the header
    /// `Authorization: Bearer …`. The page keeps the token in memory, until it is closed or reloaded, and sends it to
    /// its own origin only.
    ///
    /// The document is the same for every server, except for the version of this crate. Call this after the methods
    /// that set hosts.
    ///
    /// With axum:
    ///
    /// ```
    /// use axum::extract::Request;
    /// use axum::http::{StatusCode, header::AUTHORIZATION};
    /// use axum::middleware::{Next, from_fn};
    /// use axum::response::Response;
    /// use axum::routing::post_service;
    /// use mcp_tool_runtime::{http::Page, Dispatcher};
    ///
    /// async fn authenticate(request: Request, next: Next) -> Result<Response, StatusCode> {
    ///     let header = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    ///     match header {
    ///         Some("Bearer token-of-ann") => Ok(next.run(request).await), // in your server, a real check
    ///         _ => Err(StatusCode::UNAUTHORIZED),
    ///     }
    /// }
    ///
    /// let page = Page::new(Dispatcher::builder().build()?);
    /// let document = page.document();
    /// let app: axum::Router = axum::Router::new()
    ///     .route("/try", post_service(page).layer(from_fn(authenticate)).get_service(document));
    /// # drop(app);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    pub fn document(&self) -> PageDocument {
        PageDocument { sources: self.settings.sources.clone() }
    }
}

tower_service!(Page, handle);

async fn handle<B: http_body::Body>(page: Page, request: Request<B>) -> Result<Response<Body>, Infallible> {
    let (parts, body) = request.into_parts();
    Ok(with_headers(respond(page, parts, body).await))
}

fn with_headers(answer: Result<Response<Body>, Problem>) -> Response<Body> {
    let mut response = answer.unwrap_or_else(Problem::into_response);
    response.headers_mut().extend(HEADERS.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}

async fn respond<B: http_body::Body>(page: Page, parts: Parts, body: B) -> Result<Response<Body>, Problem> {
    page.settings.sources.check_page(&parts)?;
    let parts = Arc::new(parts);
    let extensions = Extensions::from_http(Arc::clone(&parts));
    let query = parts.uri.query().unwrap_or_default();
    // Accept `none`, which browsers send if a person typed the address. Accept a missing header too: programs other
    // than browsers do not send it.
    let site = parts.headers.get(SEC_FETCH_SITE).map(HeaderValue::as_bytes);
    if parts.method == Method::POST && !matches!(site, None | Some(b"same-origin" | b"none")) {
        return Err(forbidden("only the page itself may send this request").into());
    }
    // Look only at the query, so that the page works under any path, with or without a trailing slash. The page sends
    // its requests to relative URLs that consist only of a query.
    match (&parts.method, query) {
        (&Method::GET | &Method::HEAD, _) => Ok(document::response()),
        // Use `POST` here, so that a router can require a token for these requests and still let anybody `GET` the
        // document.
        (&Method::POST, "tools") => Ok(json_response(overview::overview(&page, &extensions))),
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

fn not_allowed(methods: &'static str) -> Problem {
    Problem::not_allowed("open the page with GET", methods)
}

/// Calls a tool. The response is an event stream: the progress reports, then the result in the form of each protocol,
/// the task that the call became, or the error of the request.
fn call(dispatcher: Dispatcher, request: CallToolRequest) -> Response<Body> {
    let (send, reports) = mpsc::channel(MAX_WAITING_REPORTS);
    let mut request = request.with_progress(move |progress| {
        let Progress { done, total, message, .. } = progress;
        let report = json!({ "progress": { "done": done, "total": total, "message": message } });
        // A page that reads too slowly misses some reports.
        drop(send.try_send(report.to_string().into_bytes()));
    });
    let record = dispatcher.open_record(Carrier::Page);
    // Dropping the body aborts the task, and so cancels the call.
    let call = tokio::spawn(async move {
        match tasks::run(&dispatcher, dispatcher.prepare_request(&mut request, None, None, record)).await {
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
/// The event is longer than a message of one protocol, but its length is limited too. Each of the two MCP results has
/// the value as structured content and as text, where escapes can double its length. The result of Open Tool Calling
/// has it once. So apart from the parts of an error, the event is at most seven times as long as `max_result_bytes`. It
/// repeats the answer to invalid arguments, at most 16 KiB in any protocol, four times.
fn result(response: &CallToolResponse) -> Vec<u8> {
    #[derive(Serialize)]
    struct Event<'a> {
        /// The invalid arguments, each with its JSON pointer.
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
    // A result can always be serialized: the dispatcher has checked that its numbers are finite.
    serde_json::to_vec(&event).unwrap_or_default()
}
