//! Calls that a tool makes with [`CallContext::call`].

use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use serde_json::Value;

use super::{Dispatcher, Inner};
use crate::call::{MAX_DEPTH, ParentCall, StartCall};
use crate::operations::Carrier;
use crate::{BoxFuture, CallContext, CallId, CallToolRequest, CallToolResponse, DispatchError, ToolError};

impl CallContext {
    /// Calls another tool of the same dispatcher, and waits for its response.
    ///
    /// The nested call has its own id, and this call is its [`parent`](Self::parent). It runs through the middlewares,
    /// and gets the [extensions](Self::extensions) and the protocol version of this call, but not its `_meta`. Its
    /// progress reports are dropped: report the progress of the whole work on this context.
    ///
    /// - **Cancellation**: the nested call ends when the returned future is dropped, or when this call is cancelled or
    ///   times out. A spawned task that awaits it then gets an error result.
    /// - **Timeouts**: the other tool has its own timeout, capped by what is left of this call's timeout.
    /// - **Concurrency**: the nested call shares this call's permit of
    ///   [`max_concurrency`](crate::DispatcherBuilder::max_concurrency), so it never waits for its own caller. If a
    ///   spawned task starts it after this call has ended, it waits for a permit.
    /// - **Questions**: the other tool cannot ask the user, and its questions are unavailable.
    /// - **Depth**: a chain has at most 16 calls, including the client's. A further call gets an error result, which
    ///   ends a cycle of tools that call each other.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallContext, CallToolRequest, Dispatcher, ToolError};
    ///
    /// /// Get the price of one piece, in cents.
    /// #[mcp_tool]
    /// async fn price(article: String) -> u32 {
    ///     if article == "apple" { 30 } else { 250 }
    /// }
    ///
    /// /// Get the price of an order, in cents.
    /// #[mcp_tool]
    /// async fn total(articles: Vec<String>, #[mcp_tool(context)] cx: &CallContext) -> Result<u32, ToolError> {
    ///     let mut total = 0;
    ///     for article in articles {
    ///         let response = cx.call("price", json!({"article": article})).await?;
    ///         if let Some(error) = response.error() {
    ///             return Err(error.clone());
    ///         }
    ///         total += response.deserialize::<u32>()?;
    ///     }
    ///     Ok(total)
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![price, total]).build()?;
    /// let response = dispatcher.call(CallToolRequest::new("total", json!({"articles": ["apple", "melon"]}))).await?;
    /// assert_eq!(response.deserialize::<u32>()?, 280);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a [`DispatchError`] if no tool has this name, or if an extension that the tool needs is missing. Any
    /// other failure is a response, as with [`Dispatcher::call`].
    ///
    /// In the example above, `?` turns the `DispatchError` into a masked [`ToolError`]. If your function has its own
    /// error type, add a variant, for example with `thiserror`:
    ///
    /// ```
    /// use mcp_tool_runtime::{DispatchError, IntoToolError};
    ///
    /// #[derive(Debug, thiserror::Error, IntoToolError)]
    /// enum OrderError {
    ///     #[error("the order is empty")]
    ///     Empty,
    ///     #[error(transparent)]
    ///     #[tool_error(internal)]
    ///     Call(#[from] DispatchError),
    /// }
    /// ```
    pub fn call(
        &self,
        name: impl Into<String>,
        arguments: impl Into<Value>,
    ) -> BoxFuture<'static, Result<CallToolResponse, DispatchError>> {
        let mut request = CallToolRequest::new(name, arguments).with_protocol_version(self.protocol_version());
        request.extensions = self.extensions().clone();
        let Some(dispatcher) = self.tool.dispatcher() else {
            let error = ToolError::new(format!("tool `{}` was not called: its dispatcher is gone", request.name));
            let response = CallToolResponse::not_run(CallId::generate(), error, &self.tool.format);
            return Box::pin(std::future::ready(Ok(response)));
        };
        dispatcher.start_call(Arc::new(self.as_parent()), request)
    }

    /// Returns the id of the call that started this one with [`call`](Self::call), or `None` if a client started it.
    ///
    /// ```
    /// use mcp_tool_runtime::{CallContext, mcp_tool};
    ///
    /// /// Return how the tool was called.
    /// #[mcp_tool]
    /// async fn origin(#[mcp_tool(context)] cx: &CallContext) -> String {
    ///     cx.parent().map_or("by a client".to_owned(), |parent| format!("by the tool of call {parent}"))
    /// }
    /// ```
    pub fn parent(&self) -> Option<&CallId> {
        self.parent.as_ref().map(|parent| &parent.call_id)
    }
}

impl StartCall for Inner {
    fn start_call(
        self: Arc<Self>,
        parent: Arc<ParentCall>,
        request: CallToolRequest,
    ) -> BoxFuture<'static, Result<CallToolResponse, DispatchError>> {
        let dispatcher = Dispatcher { inner: self };
        Box::pin(async move { dispatcher.call_for(parent, request).await })
    }
}

impl Dispatcher {
    /// Runs a call that the call `parent` has started, and ends it with an error result if `parent` is cancelled.
    async fn call_for(
        &self,
        parent: Arc<ParentCall>,
        mut request: CallToolRequest,
    ) -> Result<CallToolResponse, DispatchError> {
        let gate = self.gate(&request.name, &parent.attached);
        let mut record = self.open_record(Carrier::Tool);
        if let Some(record) = record.get() {
            record.more().parent = Some(parent.call_id.clone());
        }
        let Some(target) = gate.target() else {
            let of_request = (request.protocol_version, None);
            return self.reject(&gate, &request.name, &parent.attached, None, of_request, record).into_response();
        };
        let name = target.entry.name();
        let call_id = request.call_id.insert(self.settings().new_call_id()).clone();
        let failed = |reason: &str| {
            let error = ToolError::new(format!("tool `{name}` {reason}"));
            Ok(CallToolResponse::not_run(call_id.clone(), error, target.format()))
        };
        if parent.depth >= MAX_DEPTH {
            self.record_gate(&mut record, &gate, &parent.attached);
            return failed(&format!("was not called: the chain of calls is {MAX_DEPTH} deep, and may not be deeper"));
        }
        let mut cancelled = pin!(parent.state.cancelled());
        let mut call = pin!(self.call_from(request, Some(Arc::clone(&parent)), Some(gate), record));
        std::future::poll_fn(|cx| match cancelled.as_mut().poll(cx) {
            // This happens only if the nested call runs in a spawned task. Otherwise, this future is dropped with the
            // future of the parent call.
            Poll::Ready(()) => Poll::Ready(failed("was cancelled with the call that started it")),
            Poll::Pending => call.as_mut().poll(cx),
        })
        .await
    }
}
