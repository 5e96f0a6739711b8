//! What stands around every call.

use super::Last;
use crate::document::violation::Violation;
use crate::{BoxFuture, CallContext, CallToolRequest, Output, ToolError};

/// Stands around every call: sees the request as it came, may change it, may answer itself.
///
/// What it answers is checked against the tool's output schema like the tool's own answer, so a layer cannot break a
/// promise. Its panic is a masked error. Layers stand in the order in which they were added; the first one sees the
/// request first and the result last.
///
/// A call that runs out of time is dropped together with its layers, which then see no result: what must be said of
/// such a call too is said by a value that the layer drops.
///
/// A function of the same shape is a layer too:
///
/// ```
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
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
/// /// Say what is in the cave.
/// #[mcp_tool]
/// async fn look() -> &'static str {
///     "gold"
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![look]).layer(authenticate).build()?;
/// let request = CallToolRequest::new("look", json!({}));
/// assert!(!dispatcher.call(request.clone()).await?.is_success());
/// assert!(dispatcher.call(request.with_extension(ApiKey("open sesame"))).await?.is_success());
/// # Ok(())
/// # }
/// # let waker = std::task::Waker::noop();
/// # let mut run = std::pin::pin!(run());
/// # assert!(matches!(run.as_mut().poll(&mut std::task::Context::from_waker(waker)), std::task::Poll::Ready(Ok(()))));
/// ```
pub trait Layer: Send + Sync + 'static {
    /// Answers the call, by way of `next` or without it.
    fn call<'a>(
        &'a self,
        request: &'a mut CallToolRequest,
        cx: &'a CallContext,
        next: Next<'a>,
    ) -> BoxFuture<'a, Result<Output, ToolError>>;
}

impl<F> Layer for F
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

/// A layer of a closure, which cannot be given to [`layer`](crate::DispatcherBuilder::layer) itself: only here does the
/// compiler know which of its borrows go together.
///
/// ```
/// use mcp_tool_runtime::{layer_fn, Dispatcher};
///
/// let log = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
/// let dispatcher = Dispatcher::builder()
///     .layer(layer_fn(move |request, cx, next| {
///         log.lock().unwrap().push(format!("{} {}", cx.call_id(), request.name));
///         Box::pin(next.run(request, cx))
///     }))
///     .build()?;
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
pub fn layer_fn<F>(layer: F) -> impl Layer
where
    F: for<'a> Fn(&'a mut CallToolRequest, &'a CallContext, Next<'a>) -> BoxFuture<'a, Result<Output, ToolError>>
        + Send
        + Sync
        + 'static,
{
    layer
}

/// What stands behind a layer: the next layer, and at last the tool.
///
/// The tool is the one that the request named when it came; a layer that changes the name changes nothing.
#[derive(Debug)]
pub struct Next<'a> {
    pub(crate) layers: &'a [Box<dyn Layer>],
    pub(crate) last: Last<'a>,
    /// What was wrong with the arguments when they were read.
    pub(crate) fault: Option<Violation>,
}

impl<'a> Next<'a> {
    /// Goes on with the call.
    #[must_use = "the call goes on when the future is awaited"]
    pub fn run(
        self,
        request: &'a mut CallToolRequest,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Output, ToolError>> {
        match self.layers.split_first() {
            Some((layer, layers)) => layer.call(request, cx, Next { layers, ..self }),
            None => Box::pin(self.last.answer(request, cx, self.fault)),
        }
    }
}

impl std::fmt::Debug for dyn Layer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Layer")
    }
}
