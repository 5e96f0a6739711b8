//! All pages of a result, one call after another.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use serde_json::{Map, Value};

use super::Dispatcher;
use crate::operations::Carrier;
use crate::{BoxFuture, CallToolRequest, CallToolResponse, DispatchError};

impl Dispatcher {
    /// Calls a tool, and then calls it again with each [`next_cursor`](CallToolResponse::next_cursor) until there are
    /// no more pages. A call that fails is the last one. A tool without pages is called once.
    ///
    /// The result is a stream. For programs that do not use a crate for streams, it also has a method
    /// [`next`](Pages::next). The calls after the first one have new ids.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher, Paged};
    ///
    /// /// List the first numbers.
    /// #[mcp_tool(budget = 100)]
    /// async fn numbers(count: u32) -> Paged<u32> {
    ///     Paged::new(0..count)
    /// }
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Page {
    ///     items: Vec<u32>,
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![numbers]).build()?;
    /// let mut pages = dispatcher.pages(CallToolRequest::new("numbers", json!({"count": 1_000})));
    /// let mut all = Vec::new();
    /// while let Some(page) = pages.next().await {
    ///     all.extend(page?.deserialize::<Page>()?.items);
    /// }
    /// assert!(all.into_iter().eq(0..1_000));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use = "a stream does nothing until it is polled"]
    pub fn pages(&self, request: CallToolRequest) -> Pages {
        self.pages_over(request, Carrier::Rust)
    }

    /// Calls a tool like [`pages`](Self::pages), and names `carrier` in the records of the calls.
    pub(crate) fn pages_over(&self, request: CallToolRequest, carrier: Carrier) -> Pages {
        let next = self.cursor_of(&request.name).map(|argument| (argument.into(), request.repeated()));
        Pages { dispatcher: self.clone(), carrier, next, call: Some(call(self.clone(), request, carrier)) }
    }

    /// Returns the name of the cursor argument, if the tool has pages.
    pub(crate) fn cursor_of(&self, tool: &str) -> Option<&str> {
        self.entry(tool).and_then(|entry| entry.cursor.as_deref())
    }

    /// Returns `true` if the size of results may depend on the client, or if records name the client.
    pub(crate) fn reads_clients(&self) -> bool {
        let settings = self.settings();
        self.inner.observers.is_some()
            || settings.budgets.of_client.is_some()
            || self.inner.entries.iter().any(|entry| entry.cursor.is_some())
    }
}

fn call(dispatcher: Dispatcher, request: CallToolRequest, carrier: Carrier) -> Call {
    Box::pin(async move { dispatcher.call_from(request, None, None, dispatcher.open_record(carrier)).await })
}

type Call = BoxFuture<'static, Result<CallToolResponse, DispatchError>>;

/// The responses of [`Dispatcher::pages`].
pub struct Pages {
    dispatcher: Dispatcher,
    carrier: Carrier,
    /// The name of the cursor argument, and the request for the next page, without that argument.
    next: Option<(Box<str>, CallToolRequest)>,
    call: Option<Call>,
}

impl Pages {
    /// Returns the next response, or `None` after the last one.
    ///
    /// Dropping the future does not cancel the call, which continues when `next` is awaited again. Dropping the stream
    /// cancels the call.
    pub async fn next(&mut self) -> Option<Result<CallToolResponse, DispatchError>> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }
}

impl Stream for Pages {
    type Item = Result<CallToolResponse, DispatchError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(running) = &mut self.call else { return Poll::Ready(None) };
        let ended = ready!(running.as_mut().poll(cx));
        let cursor = ended.as_ref().ok().and_then(CallToolResponse::next_cursor);
        let next = cursor.zip(self.next.as_ref()).map(|(cursor, (argument, request))| {
            let mut request = request.repeated();
            let arguments = request.arguments.get_or_insert_default();
            if arguments.is_null() {
                *arguments = Map::new().into();
            }
            if let Value::Object(arguments) = arguments {
                arguments.insert(argument.to_string(), cursor.into());
            }
            call(self.dispatcher.clone(), request, self.carrier)
        });
        self.call = next;
        Poll::Ready(Some(ended))
    }
}

debug_struct!(Pages, pages => has_ended: pages.call.is_none());
