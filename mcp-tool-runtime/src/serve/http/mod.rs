//! An HTTP endpoint for servers that offer only tools (feature `http`).
//!
//! [`Endpoint`] is a `tower::Service` for the transport Streamable HTTP, in protocol versions 2025-06-18, 2025-11-25
//! and 2026-07-28. It is stateless, so any replica can answer any request.
//!
//! It has no resources, prompts, completion, logging, sampling or subscriptions: for those, add the tools to a
//! `ServerHandler` of the official SDK, with `Dispatcher::rmcp_routes` (feature `rmcp`). It has no sessions: for those,
//! serve the dispatcher with `rmcp::Server`. Without sessions, a tool can ask its user (feature `ask`) only with
//! protocol version 2026-07-28. The endpoint has no authorization: add a layer, `Bearer` (feature `auth`) or your own,
//! as shown below.
//!
//! # Who may call
//!
//! A web page must not reach a server on its user's machine through a domain that the page controls (DNS rebinding). So
//! by default the endpoint answers only requests whose `Host` is `localhost`, `127.0.0.1` or `[::1]`, on any port, and
//! whose `Origin` is absent or one of these hosts. Other requests get status 403. A request without `Host` is answered,
//! because browsers always send one. For a server with a public name, call
//! [`with_allowed_hosts`](Endpoint::with_allowed_hosts) and [`with_allowed_origins`](Endpoint::with_allowed_origins).
//!
//! # The HTTP request as an extension
//!
//! The request's `http::request::Parts`, its `http::HeaderMap`, and all its extensions are extensions of the call. So a
//! tool can take an authenticated user as a parameter:
//!
//! ```
//! use mcp_tool_runtime::mcp_tool;
//!
//! #[derive(Clone)]
//! struct User(String);
//!
//! /// Get the name of the user.
//! #[mcp_tool]
//! async fn who_am_i(#[mcp_tool(extension)] user: &User) -> String {
//!     user.0.clone()
//! }
//!
//! // Call this in a layer in front of the endpoint, for example in a function for `axum::middleware::from_fn`.
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
//! The response is one JSON document or an event stream. It is an event stream if the client accepts only
//! `text/event-stream`, or if the client asked for progress and the tool reports some. A client that reads too slowly
//! misses reports, but never the result.
//!
//! If a client closes the connection, its call is cancelled: the call's future is dropped. The endpoint accepts and
//! ignores `notifications/cancelled`, because without sessions the ids of requests are not unique.
//!
//! The endpoint sends nothing while a tool works and reports no progress. If a proxy closes idle connections, set its
//! timeout longer than the longest call.

#[cfg(feature = "auth")]
mod bearer;
mod body;
mod handle;
mod headers;
#[cfg(feature = "page")]
mod page;
mod problem;
mod rest;
mod settings;

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;

use ::http::Response;

#[cfg(feature = "auth")]
pub use bearer::{Bearer, BearerBody, BearerBuilder, BearerError, BearerService, Claims, InvalidToken, Keys};
pub use body::Body;
#[cfg(feature = "page")]
pub use page::{Page, PageDocument};
pub use rest::PlainHttp;

use settings::{Settings, settings_methods, tower_service};

use super::protocol::Protocol;
use super::repeated_arguments::RepeatedArguments;
use crate::Dispatcher;

/// The endpoint: a `tower::Service` that serves the tools of a dispatcher at one path.
///
/// Cloning is cheap. Calls that report progress need a tokio runtime, which every hyper server has.
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
/// let mut endpoint = Endpoint::new(dispatcher);
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
#[derive(Debug, Clone)]
#[must_use]
pub struct Endpoint {
    protocol: Protocol,
    repeated_arguments: RepeatedArguments,
    settings: Arc<Settings>,
    event_streams: bool,
    is_selectable: bool,
}

/// An extension that marks a request: a layer of this module has already checked its token.
#[derive(Clone)]
struct TokenChecked;

settings_methods!(Endpoint);

impl Endpoint {
    /// Creates an endpoint for the tools of a dispatcher.
    pub fn new(dispatcher: Dispatcher) -> Self {
        let settings = Settings::new(dispatcher.settings().max_argument_bytes.saturating_mul(4));
        let repeated_arguments = RepeatedArguments::new(&dispatcher);
        let protocol = Protocol::new(dispatcher);
        Self { protocol, repeated_arguments, settings, event_streams: true, is_selectable: false }
    }

    /// Turns event streams with progress on or off. They are on by default. Without them, progress is dropped, and
    /// every response is one JSON document, or one event if the client accepts only `text/event-stream`.
    pub fn with_event_streams(self, allowed: bool) -> Self {
        Self { event_streams: allowed, ..self }
    }

    /// Lets each request choose some of the tools, with the headers that GitHub's server reads. Without this, the
    /// headers are ignored.
    ///
    /// | header | keeps |
    /// | --- | --- |
    /// | `X-MCP-Readonly: true` | the tools that declare `read_only_hint` |
    /// | `X-MCP-Toolsets: forecast,search` | the tools with one of these tags |
    /// | `X-MCP-Tools: get_weather` | the tools with these names |
    ///
    /// The headers only narrow what the caller sees: they never show a tool that the dispatcher does not serve or that
    /// a rule hides. For the request, the other tools do not exist. An empty header counts as absent, and a name or a
    /// tag that no tool has is ignored. Lists of tools are sent as private, so that no cache gives one client's list to
    /// another. See [`Selection`](crate::operations::Selection) for what the operator chooses.
    ///
    /// ```
    /// # use mcp_tool_runtime::{http::Endpoint, Dispatcher};
    /// # let dispatcher = Dispatcher::builder().build()?;
    /// let endpoint = Endpoint::new(dispatcher).selectable_by_header();
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[track_caller]
    pub fn selectable_by_header(mut self) -> Self {
        self.protocol = Protocol::new(headers::selectable(self.protocol.dispatcher()));
        self.is_selectable = true;
        self
    }

    /// Tells callers which scopes they lack. Without this, a tool is hidden from a caller who lacks one of its scopes.
    ///
    /// With it, tools that are hidden only for lack of scopes (see
    /// [`visible_by_scopes`](crate::DispatcherBuilder::visible_by_scopes)) are listed. A call to such a tool gets
    /// status 403 and the header `WWW-Authenticate` with the error `insufficient_scope`, all scopes of the tool, and
    /// the URL of the server's protected resource metadata. A client can then ask its user for a token with these
    /// scopes. Tools that a [visibility rule](crate::DispatcherBuilder::visible) hides stay hidden.
    ///
    /// ```
    /// # use mcp_tool_runtime::{http::Endpoint, Dispatcher};
    /// # let dispatcher = Dispatcher::builder().build()?;
    /// let metadata = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
    /// let endpoint = Endpoint::new(dispatcher).with_scope_challenge(metadata);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    ///
    /// A character that a URL cannot have, such as a space, a quote or `é`, is percent-encoded.
    pub fn with_scope_challenge(mut self, resource_metadata_url: impl AsRef<str>) -> Self {
        self.settings().challenge_scopes(resource_metadata_url.as_ref());
        self
    }
}

/// The future of an [`Endpoint`]'s response. It never fails. Dropping it cancels the call.
pub type ResponseFuture = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

tower_service!(Endpoint, handle::handle);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_of_a_service_has_its_settings() {
        let dispatcher = Dispatcher::builder().build().expect("no tools");
        let endpoint = Endpoint::new(dispatcher.clone()).with_max_body_bytes(123);
        let mut texts = vec![format!("{endpoint:?}")];
        texts.push(format!("{:?}", PlainHttp::new(dispatcher.clone()).with_max_body_bytes(123)));
        #[cfg(feature = "page")]
        texts.push(format!("{:?}", Page::new(dispatcher).with_max_body_bytes(123)));
        for (text, name) in texts.iter().zip(["Endpoint", "PlainHttp", "Page"]) {
            assert!(text.starts_with(&format!("{name} {{ ")), "{text}");
            assert!(text.contains("Dispatcher { tools: []") && text.contains("max_body_bytes: 123"), "{text}");
        }
        assert!(texts[0].contains("protocol: Protocol {"), "{}", texts[0]);
    }
}
