//! Middleware: code that runs around every call.

use std::fmt;
use std::sync::Arc;

use crate::json::violation::Violation;
use crate::{BoxFuture, CallContext, CallToolRequest, Output, ToolError};

/// Middleware: code that runs around every call. A middleware sees the request, can change it, and can answer it
/// without running the tool. Unlike a tower layer, it wraps calls, not a service.
///
/// Middlewares run in the order in which they were added: the first one sees the request first and the result last. The
/// result of the outermost middleware is checked against the tool's output schema, so a middleware cannot send a result
/// that violates the schema. A panic in a middleware becomes a masked error.
///
/// A call that times out is dropped together with its middlewares, which then see no result. To notice such a call, a
/// middleware can hold a value that implements `Drop` while it awaits `next`.
///
/// A function with the parameters of [`call`](Self::call) is also a middleware. For a closure, use [`from_fn`].
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, tools, BoxFuture, CallContext, CallToolRequest, Dispatcher, Next, Output, ToolError};
///
/// struct ApiKey(&'static str);
///
/// fn authenticate<'a>(
///     request: &'a mut CallToolRequest,
///     cx: &'a CallContext,
///     next: Next<'a>,
/// ) -> BoxFuture<'a, Result<Output, ToolError>> {
///     Box::pin(async move {
///         match request.extensions.get::<ApiKey>() {
///             Some(ApiKey("open sesame")) => next.run(request, cx).await,
///             _ => Err(ToolError::new("this server needs an API key")),
///         }
///     })
/// }
///
/// /// List what is in the cave.
/// #[mcp_tool]
/// async fn look() -> &'static str {
///     "gold"
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![look]).middleware(authenticate).build()?;
/// let request = CallToolRequest::new("look", json!({}));
/// assert!(!dispatcher.call(request.clone()).await?.is_success());
/// assert!(dispatcher.call(request.with_extension(ApiKey("open sesame"))).await?.is_success());
/// # Ok(())
/// # }
/// ```
pub trait Middleware: Send + Sync + 'static {
    /// Handles the call. If the middleware does not run `next`, the tool does not run.
    fn call<'a>(
        &'a self,
        request: &'a mut CallToolRequest,
        cx: &'a CallContext,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<Output, ToolError>>;
}

impl<F> Middleware for F
where
    F: for<'a> Fn(&'a mut CallToolRequest, &'a CallContext, Next<'a>) -> BoxFuture<'a, Result<Output, ToolError>>
        + Send
        + Sync
        + 'static,
{
    fn call<'a>(
        &'a self,
        request: &'a mut CallToolRequest,
        cx: &'a CallContext,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        self(request, cx, next)
    }
}

/// Turns a closure into a [`Middleware`].
///
/// A closure cannot be passed to [`middleware`](crate::DispatcherBuilder::middleware) directly: the compiler infers the
/// lifetimes of the closure's parameters only from the signature of this function.
///
/// ```
/// use mcp_tool_runtime::{middleware, Dispatcher};
///
/// let log = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
/// let dispatcher = Dispatcher::builder()
///     .middleware(middleware::from_fn(move |request, cx, next| {
///         log.lock().unwrap().push(format!("{} {}", cx.call_id(), request.name));
///         Box::pin(next.run(request, cx))
///     }))
///     .build()?;
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
pub fn from_fn<F>(middleware: F) -> impl Middleware
where
    F: for<'a> Fn(&'a mut CallToolRequest, &'a CallContext, Next<'a>) -> BoxFuture<'a, Result<Output, ToolError>>
        + Send
        + Sync
        + 'static,
{
    middleware
}

/// The rest of a call after a middleware: the remaining middlewares, then the tool.
///
/// The tool is chosen before the middlewares run, so a middleware that changes `request.name` does not select another
/// tool. See [`Middleware`] for an example.
#[derive(Debug)]
pub struct Next<'a> {
    pub(crate) middlewares: &'a [Arc<dyn Middleware>],
    pub(crate) tool: &'a dyn LayeredTool,
    /// The reason why the arguments could not be read, if there is one.
    pub(crate) violation: Option<Box<Violation>>,
}

impl<'a> Next<'a> {
    /// Continues the call with this request.
    ///
    /// # Errors
    ///
    /// Returns the [`ToolError`] of a remaining middleware, of the argument check, or of the tool.
    #[must_use = "the call continues when the future is awaited"]
    pub fn run(
        self,
        request: &'a mut CallToolRequest,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        match self.middlewares.split_first() {
            Some((middleware, middlewares)) => middleware.call(request, cx, Next { middlewares, ..self }),
            None => self.tool.call(request, cx, self.violation),
        }
    }
}

/// The tool behind the middlewares. The dispatcher implements this trait, so that this module need not import the
/// dispatcher.
pub(crate) trait LayeredTool: fmt::Debug + Sync {
    /// Calls the tool with a request that has passed the middlewares. `violation` says why the arguments could not be
    /// read.
    fn call<'a>(
        &'a self,
        request: &'a mut CallToolRequest,
        cx: &'a CallContext,
        violation: Option<Box<Violation>>,
    ) -> BoxFuture<'a, Result<Output, ToolError>>;
}

impl fmt::Debug for dyn Middleware {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Middleware")
    }
}
