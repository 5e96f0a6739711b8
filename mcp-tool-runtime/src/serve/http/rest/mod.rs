//! The tools as plain HTTP resources.

mod handle;
pub(super) mod tasks;

use std::sync::Arc;

use super::settings::{Settings, settings_methods, tower_service};
use crate::Dispatcher;

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
/// An empty body has no arguments. Paths are exact, after one percent-decoding. They begin where the service is mounted, so the router
/// must remove the prefix, as axum's `nest_service` does.
///
/// With tasks (feature `tasks`), a tool with the key `task` can answer with a task, for a client that sends the header
/// `Prefer: respond-async` (RFC 7240):
///
/// | request | response |
/// | --- | --- |
/// | `POST /{tool}` | the result if the call ends soon, or else status 202 with the task and its URL in `Location` |
/// | `GET /tasks/{id}` | the task. Until it ends, `Retry-After` says when to ask again. Then `result` is the result of `tools/call`, or `error` says why there is none |
/// | `DELETE /tasks/{id}` | status 204: the task is cancelled, unless it has ended |
///
/// The list and the document contain only the tools that the caller sees. Their `Cache-Control` has the dispatcher's `list_ttl` and
/// `list_scope`. If there are rules of [`visible`](crate::DispatcherBuilder::visible), it is `no-store`.
///
/// An error is `application/problem+json` (RFC 9457). Its `detail` is the message.
///
/// | status | meaning |
/// | --- | --- |
/// | 400 | the body is not JSON, or the tool failed with a message of its author |
/// | 403 | the host or the origin is not allowed, the caller lacks scopes (see [`with_scope_challenge`](Self::with_scope_challenge)), or a [rule](crate::guide::audience#hidden-refused-shown) refuses the call |
/// | 404 | there is no such path or tool, or the caller does not see it |
/// | 405 | the path does not support this method; the header `Allow` lists the methods that it supports |
/// | 409 | the tool asks the user, and nobody can answer here; an error with the code `unavailable`, `declined` or `cancelled` |
/// | 413 | the body is larger than `max_argument_bytes` or [`with_max_body_bytes`](Self::with_max_body_bytes) |
/// | 415 | the body is not `application/json`, or has a `Content-Encoding` |
/// | 422 | arguments are invalid: `errors` has a JSON pointer to each as a URI fragment, with what is wrong |
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
/// let mut rest = Rest::new(dispatcher);
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
#[derive(Debug, Clone)]
pub struct Rest {
    dispatcher: Dispatcher,
    settings: Arc<Settings>,
}

settings_methods!(Rest);

impl Rest {
    /// Creates a service for the tools of a dispatcher.
    #[must_use]
    pub fn new(dispatcher: Dispatcher) -> Self {
        Self { settings: Settings::new(dispatcher.max_argument_bytes()), dispatcher }
    }

    /// Tells callers which scopes they lack. Without this, a tool is hidden from a caller who lacks one of its scopes.
    ///
    /// Tools that only scopes hide (see [`visible_by_scopes`](crate::DispatcherBuilder::visible_by_scopes)) are in the list and in the
    /// document. A call of one gets status 403 and the header `WWW-Authenticate`, as with
    /// [`Endpoint::with_scope_challenge`](super::Endpoint::with_scope_challenge).
    ///
    /// ```
    /// # use mcp_tool_runtime::{http::Rest, Dispatcher};
    /// # let dispatcher = Dispatcher::builder().build()?;
    /// let metadata = "https://api.example.com/.well-known/oauth-protected-resource/tools";
    /// let rest = Rest::new(dispatcher).with_scope_challenge(metadata);
    /// # Ok::<(), mcp_tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn with_scope_challenge(mut self, resource_metadata_url: impl AsRef<str>) -> Self {
        self.settings().challenge_scopes(resource_metadata_url.as_ref());
        self
    }
}

tower_service!(Rest, handle::handle);
