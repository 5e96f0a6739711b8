//! A structured value with content beside it.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use crate::{Content, Output, ToolError, ToolOutput};

/// A structured value, with blocks after its text and `_meta` of the result.
///
/// ```
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher, ResourceLink, Structured};
///
/// /// Count the lines of the log.
/// #[mcp_tool]
/// async fn count_lines() -> Structured<u64> {
///     Structured::new(1204).with_content(ResourceLink::new("file:///var/log/app.log", "app.log"))
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![count_lines]).build()?;
/// assert_eq!(dispatcher.list()[0].output_schema.as_ref().unwrap()["type"], "integer");
/// let response = dispatcher.call(CallToolRequest::new("count_lines", json!({}))).await?;
/// assert_eq!(response.content().len(), 2);
/// # Ok(())
/// # }
/// # let waker = std::task::Waker::noop();
/// # let mut run = std::pin::pin!(run());
/// # assert!(matches!(run.as_mut().poll(&mut std::task::Context::from_waker(waker)), std::task::Poll::Ready(Ok(()))));
/// ```
#[derive(Debug, Clone)]
pub struct Structured<T> {
    value: T,
    /// All of the output but the value.
    beside: Output,
}

impl<T> Structured<T> {
    /// The value alone, with its text.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self { value, beside: Output::unit() }
    }

    /// Adds a block after the text.
    #[must_use]
    pub fn with_content(self, content: impl Into<Content>) -> Self {
        Self { beside: self.beside.with_content(content), ..self }
    }

    /// Leaves out the value's text. Clients that show text alone then show nothing of the value.
    #[must_use]
    pub fn without_text(self) -> Self {
        Self { beside: self.beside.without_text(), ..self }
    }

    /// Adds an entry to the result's `_meta`.
    #[must_use]
    pub fn with_meta(self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        Self { beside: self.beside.with_meta(key, value), ..self }
    }
}

impl<T: Serialize + JsonSchema> ToolOutput for Structured<T> {
    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(T::json_schema(generator))
    }

    fn into_output(self) -> Result<Output, ToolError> {
        let Output { body, .. } = Output::value(self.value)?;
        let mut output = self.beside;
        output.body = body;
        Ok(output)
    }
}
