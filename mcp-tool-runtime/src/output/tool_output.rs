//! `ToolOutput`, which converts a value into the output of a call, and the types that implement it. One of them is
//! `Structured`: a structured value with content blocks.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::{Content, Output, ToolError};

/// A type that converts itself into the output of a call.
///
/// Types that implement `Serialize` and `JsonSchema` do not need this trait, because they are sent as structured
/// values. Implement it for a type that is sent as content blocks, or as a structured value with content blocks.
///
/// ```
/// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Image, Output, Text, ToolError, ToolOutput};
/// use mcp_tool_runtime::schemars::{Schema, SchemaGenerator};
///
/// struct Chart(Vec<u8>);
///
/// impl ToolOutput for Chart {
///     fn schema(_: &mut SchemaGenerator) -> Option<Schema> {
///         None
///     }
///
///     fn into_output(self) -> Result<Output, ToolError> {
///         Ok(Output::content(vec![Image::new(self.0, "image/png").into(), Text::new("sales by month").into()]))
///     }
/// }
///
/// /// Draw the sales chart.
/// #[mcp_tool(read_only_hint)]
/// async fn draw_sales() -> Chart {
///     Chart(b"\x89PNG".to_vec())
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![draw_sales]).build()?;
/// assert!(dispatcher.list()[0].output_schema.is_none());
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
pub trait ToolOutput: Sized {
    /// Returns the schema of the structured value, or `None` if there is no structured value or its schema is not
    /// known.
    fn schema(generator: &mut SchemaGenerator) -> Option<Schema>;

    /// Returns [`NOTHING`], [`CONTENT`] or [`ANY`] as the type of a result without a schema.
    #[doc(hidden)]
    fn __result_type() -> &'static str {
        ANY
    }

    /// Converts the value into an output.
    ///
    /// # Errors
    ///
    /// Returns the [`ToolError`] that becomes the error result.
    fn into_output(self) -> Result<Output, ToolError>;
}

/// The `result_type` of a tool whose result is `null` over plain HTTP.
pub(crate) const NOTHING: &str = "()";
/// The `result_type` of a tool whose result may be anything.
const ANY: &str = "any";
/// The `result_type` of a tool whose result has only content blocks.
pub(crate) const CONTENT: &str = "content";

macro_rules! without_schema {
    ($($(#[$docs:meta])* $ty:ty: $result_type:expr, $into_output:expr;)+) => {$(
        $(#[$docs])*
        impl ToolOutput for $ty {
            fn __result_type() -> &'static str {
                $result_type
            }

            fn schema(_: &mut SchemaGenerator) -> Option<Schema> {
                None
            }

            fn into_output(self) -> Result<Output, ToolError> {
                $into_output(self)
            }
        }
    )+};
}
#[cfg(feature = "rmcp")]
pub(crate) use without_schema;

without_schema! {
    /// Sends the text `Done`, without an output schema.
    (): NOTHING, |()| Ok(Output::unit());
    /// Sends the output unchanged, without an output schema.
    Output: ANY, Ok;
    /// Sends the JSON unchanged, without an output schema. With the key `output = T`, the JSON is checked against the
    /// schema of `T`.
    Box<RawValue>: ANY, Output::value;
    /// Sends the blocks unchanged, without an output schema.
    Vec<Content>: CONTENT, |blocks| Ok(Output::content(blocks));
    /// Sends the block unchanged, without an output schema.
    Content: CONTENT, |block| Ok(of_block(block));
    /// Sends the block unchanged, without an output schema.
    crate::Text: CONTENT, |block| Ok(of_block(block));
    /// Sends the block unchanged, without an output schema.
    crate::Image: CONTENT, |block| Ok(of_block(block));
    /// Sends the block unchanged, without an output schema.
    crate::Audio: CONTENT, |block| Ok(of_block(block));
    /// Sends the block unchanged, without an output schema.
    crate::ResourceLink: CONTENT, |block| Ok(of_block(block));
    /// Sends the block unchanged, without an output schema.
    crate::EmbeddedResource: CONTENT, |block| Ok(of_block(block));
}

fn of_block(block: impl Into<Content>) -> Output {
    Output::content(vec![block.into()])
}

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
