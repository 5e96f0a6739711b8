//! A structured value with content beside it.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::output::TextBlock;
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
    text: TextBlock,
    content: Vec<Content>,
    meta: Map<String, Value>,
}

impl<T> Structured<T> {
    /// The value alone, with its text.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self { value, text: TextBlock::Json, content: Vec::new(), meta: Map::new() }
    }

    /// Adds a block after the text.
    #[must_use]
    pub fn with_content(mut self, content: impl Into<Content>) -> Self {
        self.content.push(content.into());
        self
    }

    /// Leaves out the value's text. Clients that show text alone then show nothing of the value.
    #[must_use]
    pub fn without_text(mut self) -> Self {
        self.text = TextBlock::Absent;
        self
    }

    /// Adds an entry to the result's `_meta`.
    #[must_use]
    pub fn with_meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }
}

impl<T: Serialize + JsonSchema> ToolOutput for Structured<T> {
    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(T::json_schema(generator))
    }

    fn into_output(self) -> Result<Output, ToolError> {
        let mut output = Output::value(self.value)?;
        output.text = self.text;
        output.content = self.content;
        output.meta = self.meta;
        Ok(output)
    }
}
