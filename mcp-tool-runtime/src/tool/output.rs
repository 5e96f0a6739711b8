//! What a tool gives back when it succeeds.

use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::document::writer::{JsonText, WriteError};
use crate::{Content, ToolError};

/// The success of a call: a structured value, content blocks, or both.
///
/// The value is serialised here, once; what is sent is spliced from those bytes.
///
/// ```
/// use mcp_tool_runtime::{json, Output, Text, ToolError};
///
/// let output = Output::value(json!({"bmi": 22.5}))?.with_content(Text::new("a healthy weight"));
/// # Ok::<(), ToolError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Output {
    pub(crate) body: Body,
    /// What most results do not have.
    more: Option<Box<More>>,
}

#[derive(Debug, Clone, Default)]
struct More {
    text: TextBlock,
    content: Vec<Content>,
    meta: Map<String, Value>,
}

#[derive(Debug, Clone)]
pub(crate) enum Body {
    /// Nothing to say but that it is done.
    Unit,
    /// A structured value, as compact JSON.
    Value(JsonText),
    /// Content blocks alone.
    Blocks,
}

/// The text that stands for a structured value.
#[derive(Debug, Clone, Default)]
pub(crate) enum TextBlock {
    /// The value's compact JSON.
    #[default]
    Json,
    /// The author's words.
    Words(String),
    /// No text block.
    Absent,
}

impl Output {
    fn new(body: Body) -> Self {
        Self { body, more: None }
    }

    pub(crate) fn unit() -> Self {
        Self::new(Body::Unit)
    }

    fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    pub(crate) fn text(&self) -> &TextBlock {
        self.more.as_ref().map_or(&TextBlock::Json, |more| &more.text)
    }

    /// The blocks beside the value, or instead of one.
    pub(crate) fn blocks(&self) -> &[Content] {
        self.more.as_ref().map_or(&[], |more| &more.content)
    }

    /// What the author adds to the metadata, if anything.
    pub(crate) fn meta(&self) -> Option<&Map<String, Value>> {
        self.more.as_ref().map(|more| &more.meta).filter(|meta| !meta.is_empty())
    }

    /// A structured value.
    ///
    /// # Errors
    ///
    /// A number that is not finite, a map whose keys are not strings, an error of the type's own `Serialize`. JSON
    /// has no way to write such a value, and `null` in its place would be a lie (rule R7).
    pub fn value(value: impl Serialize) -> Result<Self, ToolError> {
        let json = JsonText::write(&value).map_err(not_json)?;
        Ok(Self::new(Body::Value(json)))
    }

    /// Content blocks as they are. A tool that publishes an output schema cannot answer with blocks alone.
    ///
    /// ```
    /// use mcp_tool_runtime::{Image, Output};
    ///
    /// let output = Output::content(vec![Image::new(b"GIF89a", "image/gif").into()]);
    /// ```
    #[must_use]
    pub fn content(content: Vec<Content>) -> Self {
        let mut output = Self::new(Body::Blocks);
        output.more().content = content;
        output
    }

    /// Adds a block after those that are there.
    #[must_use]
    pub fn with_content(mut self, content: impl Into<Content>) -> Self {
        self.more().content.push(content.into());
        self
    }

    /// Puts the author's words in place of the text that stands for the structured value.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, Output, ToolError};
    ///
    /// let output = Output::value(json!(["ann", "bob"]))?.with_text("2 users: ann, bob");
    /// # Ok::<(), ToolError>(())
    /// ```
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.more().text = TextBlock::Words(text.into());
        self
    }

    /// Leaves out the text that stands for the structured value. Clients that show text alone then show nothing of it.
    #[must_use]
    pub fn without_text(mut self) -> Self {
        self.more().text = TextBlock::Absent;
        self
    }

    /// Adds an entry to the result's `_meta`.
    #[must_use]
    pub fn with_meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.more().meta.insert(key.into(), value.into());
        self
    }
}

fn not_json(error: WriteError) -> ToolError {
    match error {
        WriteError::Serialize(error) => {
            ToolError::invalid_result("it cannot be written as JSON").with_developer_message(error.to_string())
        }
        WriteError::NotFinite(path) if path.is_root() => ToolError::invalid_result("the value is not finite"),
        WriteError::NotFinite(path) => ToolError::invalid_result(format!("`{path}` is not finite")),
    }
}

/// A type that decides itself what a call answers.
///
/// Types with `Serialize` and `JsonSchema` need no implementation: they are structured values. Implement this for a
/// result of content blocks, or of a value and blocks.
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
    /// The schema of the structured value, `None` for a result of content alone.
    fn schema(generator: &mut SchemaGenerator) -> Option<Schema>;

    /// The result.
    ///
    /// # Errors
    ///
    /// What the call fails with when there is no result after all.
    fn into_output(self) -> Result<Output, ToolError>;
}

/// No output schema; the text `Done`.
impl ToolOutput for () {
    fn schema(_: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    fn into_output(self) -> Result<Output, ToolError> {
        Ok(Output::unit())
    }
}

/// The output itself, without a schema: for a tool that publishes none.
impl ToolOutput for Output {
    fn schema(_: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    fn into_output(self) -> Result<Output, ToolError> {
        Ok(self)
    }
}

macro_rules! blocks {
    ($($block:ident)+) => {$(
        /// The block as it is, without an output schema.
        impl ToolOutput for crate::$block {
            fn schema(_: &mut SchemaGenerator) -> Option<Schema> {
                None
            }

            fn into_output(self) -> Result<Output, ToolError> {
                Ok(Output::content(vec![self.into()]))
            }
        }
    )+};
}

blocks!(Text Image Audio ResourceLink EmbeddedResource Content);

/// The blocks as they are, without an output schema.
impl ToolOutput for Vec<Content> {
    fn schema(_: &mut SchemaGenerator) -> Option<Schema> {
        None
    }

    fn into_output(self) -> Result<Output, ToolError> {
        Ok(Output::content(self))
    }
}
