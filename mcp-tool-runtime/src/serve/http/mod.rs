//! A slim HTTP endpoint for servers that offer tools and nothing else (feature `http`).
//!
//! It has no resources, no prompts, no completion, no logging, no sampling or elicitation, no subscriptions, no
//! sessions, and no authorization of its own. For the rest of the protocol serve the dispatcher with `rmcp::Server`
//! (feature `rmcp`); for authorization, put a layer around it, as below.
//!
//! [`Endpoint`] is a `tower::Service` that speaks Streamable HTTP of 2025-06-18, 2025-11-25 and 2026-07-28 at once. It
//! keeps nothing between two requests, so any replica answers any request:
//!
//! ```ignore
//! let app = axum::Router::new()
//!     .route("/healthz", axum::routing::get(|| async { "ok" }))
//!     .route_service("/mcp", Endpoint::new(dispatcher).with_info("calculator", "1.0.0"));
//! axum::serve(listener, app).with_graceful_shutdown(signal).await?;
//! ```
//!
//! # Who may call
//!
//! A page in a browser must not reach a server on its user's machine through a name that it controls (DNS rebinding).
//! So only these are answered unless said otherwise: a `Host` that is `localhost`, `127.0.0.1` or `[::1]`, at any port,
//! and an `Origin` that is absent or of such a host. Any other is 403. A request without a `Host` is answered: no browser
//! sends one. A server with a name of its own names it:
//! [`with_allowed_hosts`](Endpoint::with_allowed_hosts), [`with_allowed_origins`](Endpoint::with_allowed_origins).
//!
//! # What a tool sees of the request
//!
//! The request's `http::request::Parts`, its `http::HeaderMap`, and every value that a layer put into its extensions
//! are extensions of the call. So an authenticated user is a parameter:
//!
//! ```
//! use mcp_tool_runtime::mcp_tool;
//!
//! #[derive(Clone)]
//! struct User(String);
//!
//! /// Say who is asking.
//! #[mcp_tool]
//! async fn who_am_i(#[mcp_tool(extension)] user: &User) -> String {
//!     user.0.clone()
//! }
//!
//! // The layer: `axum::middleware::from_fn(authenticate)`, or any other of tower.
//! fn authenticate<B>(mut request: http::Request<B>) -> Result<http::Request<B>, http::StatusCode> {
//!     match request.headers().get("authorization").map(http::HeaderValue::as_bytes) {
//!         Some(b"Bearer token-of-ann") => request.extensions_mut().insert(User("ann".to_owned())),
//!         _ => return Err(http::StatusCode::UNAUTHORIZED),
//!     };
//!     Ok(request)
//! }
//! ```
//!
//! # Progress and cancellation
//!
//! A call is answered with one JSON document. One that asked for progress is answered with an event stream as soon as
//! the tool reports some; a client that reads too slowly misses reports, never the result. A client that hangs up
//! cancels its call: the call's future is dropped, in every version, since no answer could be fetched later. A
//! `notifications/cancelled` over HTTP is accepted and changes nothing: without sessions, ids of requests say little.
//! Nothing is sent while a tool works in silence, so a proxy that closes idle connections needs a time-out beyond the
//! longest call, or the tool must report progress more often than that to clients that ask for it.

mod answer;
mod body;
mod guard;
mod mirror;
mod negotiate;

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use ::http::{Request, Response};

pub use body::Body;

use super::protocol::Protocol;
use crate::Dispatcher;

/// The tools of a dispatcher at one path of an HTTP server.
///
/// A clone is another handle on the same endpoint. It needs a tokio runtime, as hyper has it, for calls that report
/// progress.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{http::Endpoint, mcp_tool, tools, Dispatcher};
/// use tower_service::Service as _;
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// let mut endpoint = Endpoint::new(dispatcher).with_info("calculator", "1.0.0");
///
/// let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}}"#;
/// let request = http::Request::post("http://localhost/mcp")
///     .header("content-type", "application/json")
///     .header("mcp-protocol-version", "2025-11-25")
///     .body(call.to_owned())?;
/// assert_eq!(endpoint.call(request).await?.status(), 200);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Endpoint {
    inner: Arc<Inner>,
}

#[derive(Clone)]
struct Inner {
    protocol: Protocol,
    mirrors: mirror::Mirrors,
    guard: guard::Guard,
    max_body_bytes: usize,
    event_streams: bool,
}

impl Endpoint {
    /// Serves the tools of a dispatcher.
    #[must_use]
    pub fn new(dispatcher: Dispatcher) -> Self {
        let max_body_bytes = dispatcher.max_argument_bytes().saturating_mul(4);
        let mirrors = mirror::Mirrors::new(&dispatcher);
        let (protocol, guard) = (Protocol::new(dispatcher), guard::Guard::default());
        Self { inner: Arc::new(Inner { protocol, mirrors, guard, max_body_bytes, event_streams: true }) }
    }

    /// Says what the server is called, and its version.
    #[must_use]
    pub fn with_info(self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.speaking(|protocol| protocol.with_info(name, version))
    }

    /// Says what people call the server.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        self.speaking(|protocol| protocol.with_title(title))
    }

    /// Says how the tools are best used, for a model to read.
    #[must_use]
    pub fn with_instructions(self, instructions: impl Into<String>) -> Self {
        self.speaking(|protocol| protocol.with_instructions(instructions))
    }

    /// Sets how long the body of a request may be; four times the dispatcher's `max_argument_bytes` unless set. A
    /// longer one is 413.
    #[must_use]
    pub fn with_max_body_bytes(mut self, bytes: usize) -> Self {
        self.edit().max_body_bytes = bytes;
        self
    }

    /// Names the hosts under which the server is reached, in place of this machine's own: `mcp.example.com` at any
    /// port, `mcp.example.com:8443` at one.
    ///
    /// ```
    /// # use mcp_tool_runtime::{http::Endpoint, Dispatcher};
    /// # let dispatcher = Dispatcher::builder().build()?;
    /// let endpoint = Endpoint::new(dispatcher).with_allowed_hosts(["mcp.example.com", "localhost"]);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn with_allowed_hosts(mut self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.edit().guard.allow_hosts(hosts.into_iter().map(Into::into));
        self
    }

    /// Takes requests for any host: for a server behind a proxy that looks at `Host` itself.
    #[must_use]
    pub fn with_any_host(mut self) -> Self {
        self.edit().guard.allow_any_host();
        self
    }

    /// Names the origins of the pages that may call from a browser, in place of this machine's own:
    /// `https://app.example.com`, with the port where it is not the scheme's. An empty list allows none. The answers
    /// to a browser's preflight requests are for a layer, `tower_http::cors` say.
    #[must_use]
    pub fn with_allowed_origins(mut self, origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.edit().guard.allow_origins(origins.into_iter().map(Into::into));
        self
    }

    /// Whether calls that report progress are answered with an event stream; they are unless switched off. Then every
    /// answer is one JSON document, and reports are dropped.
    #[must_use]
    pub fn with_event_streams(mut self, allowed: bool) -> Self {
        self.edit().event_streams = allowed;
        self
    }

    fn speaking(mut self, say: impl FnOnce(Protocol) -> Protocol) -> Self {
        let inner = self.edit();
        inner.protocol = say(inner.protocol.clone());
        self
    }

    fn edit(&mut self) -> &mut Inner {
        Arc::make_mut(&mut self.inner)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { protocol, guard, max_body_bytes, event_streams, mirrors: _ } = &*self.inner;
        f.debug_struct("Endpoint")
            .field("protocol", protocol)
            .field("guard", guard)
            .field("max_body_bytes", max_body_bytes)
            .field("event_streams", event_streams)
            .finish_non_exhaustive()
    }
}

/// The answer of an [`Endpoint`] while it is being made. It cannot fail; dropping it cancels the call.
pub type ResponseFuture = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

impl<B> tower_service::Service<Request<B>> for Endpoint
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
        Box::pin(async move { Ok(answer::answer(inner, request).await) })
    }
}
