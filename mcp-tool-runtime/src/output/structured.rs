//! `Structured`: a structured value with content blocks.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use crate::{Content, Output, ToolError, ToolOutput};

/// A structured value, together with content blocks and `_meta` entries.
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
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
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Structured<T> {
    pub(crate) value: T,
    /// The content blocks and the `_meta`. The body is empty until `into_output` puts the value into it.
    output: Output,
}

impl<T> Structured<T> {
    /// Wraps a value. The result also has a text block, with the value as JSON.
    pub fn new(value: T) -> Self {
        Self { value, output: Output::unit() }
    }

    /// Adds a content block after the value's text block.
    ///
    /// ```
    /// use mcp_tool_runtime::{Structured, Text};
    ///
    /// let result = Structured::new(21.5).with_content(Text::new("a mild day"));
    /// ```
    pub fn with_content(self, content: impl Into<Content>) -> Self {
        Self { output: self.output.with_content(content), ..self }
    }

    /// Removes the value's text block. Clients that show only text will not show the value.
    pub fn without_text(self) -> Self {
        Self { output: self.output.without_text(), ..self }
    }

    /// Adds an entry to the result's `_meta`.
    pub fn with_meta(self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        Self { output: self.output.with_meta(key, value), ..self }
    }
}

impl<T: Serialize + JsonSchema> ToolOutput for Structured<T> {
    fn schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(T::json_schema(generator))
    }

    fn into_output(self) -> Result<Output, ToolError> {
        let Output { body, .. } = Output::value(self.value)?;
        let mut output = self.output;
        output.body = body;
        Ok(output)
    }
}
