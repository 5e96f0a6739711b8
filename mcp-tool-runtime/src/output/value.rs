//! The output of a successful call.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde_json::{Map, Value};

use crate::json::reader::{self, MAX_DEPTH};
use crate::json::writer::{self, JsonText, WriteError};
use crate::{Content, ToolError};

/// The output of a successful call: a structured value, content blocks, or both.
///
/// The value is serialized once, when the output is created.
///
/// ```
/// use mcp_tool_runtime::{json, Output, Text, ToolError};
///
/// let output = Output::value(json!({"bmi": 22.5}))?.with_content(Text::new("a healthy weight"));
/// # Ok::<(), ToolError>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Output {
    pub(crate) body: Body,
    /// The fields that most outputs do not use. They are boxed, so that an `Output` stays small.
    more: Option<Box<More>>,
}

#[derive(Debug, Clone, Default)]
struct More {
    text: TextBlock,
    content: Vec<Content>,
    meta: Map<String, Value>,
    next_cursor: Option<String>,
}

impl More {
    /// Returns the `_meta` of the result and those of its blocks.
    fn all_meta(&mut self) -> impl Iterator<Item = &mut Map<String, Value>> {
        std::iter::once(&mut self.meta).chain(self.content.iter_mut().flat_map(Content::meta_mut))
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Body {
    /// No value. The text block is `Done`.
    Unit,
    /// A structured value, as compact JSON.
    Value(JsonText),
    /// Only content blocks.
    Blocks,
    /// The user must answer questions before the tool runs.
    InputRequired(Box<crate::ask::InputRequired>),
    /// A list or text that has not been cut into a page yet.
    Unfinished(Unfinished),
}

/// A list or text before it is cut into a page. Only `paging` knows its type. Clones of an output share it, and the
/// first clone that is cut into a page takes it.
#[derive(Clone)]
pub(crate) struct Unfinished(Arc<Mutex<Option<Box<dyn Any + Send>>>>);

impl Unfinished {
    pub(crate) fn take<T: 'static>(&self) -> Option<Box<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()?.downcast().ok()
    }
}

debug_struct!(Unfinished);

/// The text block of a structured value.
#[derive(Debug, Clone, Default)]
pub(crate) enum TextBlock {
    /// The value's compact JSON or, for a string in a legacy protocol version, the string itself.
    #[default]
    Json,
    /// Text that the author wrote.
    Custom(String),
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

    pub(crate) fn unfinished(list_or_text: impl Any + Send) -> Self {
        Self::new(Body::Unfinished(Unfinished(Arc::new(Mutex::new(Some(Box::new(list_or_text)))))))
    }

    pub(crate) fn needs_input(required: crate::ask::InputRequired) -> Self {
        Self::new(Body::InputRequired(Box::new(required)))
    }

    /// Returns the questions that the user must answer before the tool runs, if the output consists of questions
    /// (feature `ask`). A [`Middleware`](crate::Middleware) sees such an output as `Ok`.
    pub fn input_required(&self) -> Option<&crate::ask::InputRequired> {
        match &self.body {
            Body::InputRequired(required) => Some(required),
            _ => None,
        }
    }

    /// Returns `true` if the output has nothing besides its body.
    pub(crate) fn is_plain(&self) -> bool {
        self.more.is_none()
    }

    /// Returns the size of the value, the blocks and a custom text, in bytes of JSON.
    #[inline]
    pub(crate) fn json_bytes(&self) -> usize {
        let mut bytes = match &self.body {
            Body::Value(value) => value.as_str().len(),
            _ => 0,
        };
        if let TextBlock::Custom(text) = self.text() {
            bytes += writer::json_length(text);
        }
        if !self.blocks().is_empty() {
            bytes += writer::json_length(self.blocks());
        }
        bytes
    }

    fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    pub(crate) fn text(&self) -> &TextBlock {
        self.more.as_ref().map_or(&TextBlock::Json, |more| &more.text)
    }

    /// Returns the structured value as compact JSON, for a [`Middleware`](crate::Middleware) that reads what a tool
    /// returns. Returns `None` if there is no value. The value of a [`Paged`](crate::Paged) is one page.
    ///
    /// ```
    /// use mcp_tool_runtime::{CallToolRequest, Dispatcher, Output, json, mcp_tool, middleware, tools};
    ///
    /// /// Get the notes of a customer.
    /// #[mcp_tool]
    /// async fn get_notes() -> String {
    ///     "likes tea, password: hunter2".to_owned()
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let redact = middleware::from_fn(|request, cx, next| {
    ///     Box::pin(async move {
    ///         let output = next.run(request, cx).await?;
    ///         let texts = [output.as_json(), output.own_text()];
    ///         if texts.into_iter().flatten().any(|text| text.contains("password")) {
    ///             return Output::value("(removed)");
    ///         }
    ///         Ok(output)
    ///     })
    /// });
    /// let dispatcher = Dispatcher::builder().tools(tools![get_notes]).middleware(redact).build()?;
    /// let response = dispatcher.call(CallToolRequest::new("get_notes", json!({}))).await?;
    /// assert_eq!(response.deserialize::<String>()?, "(removed)");
    /// # Ok(())
    /// # }
    /// ```
    pub fn as_json(&self) -> Option<&str> {
        if let Body::Value(json) = &self.body { Some(json.as_str()) } else { None }
    }

    /// Returns the text that replaces the JSON of the structured value: what the function under the key `text` wrote, or
    /// what was passed to [`with_text`](Self::with_text). A middleware that removes something from the value must remove
    /// it from this text too.
    pub fn own_text(&self) -> Option<&str> {
        if let TextBlock::Custom(text) = self.text() { Some(text) } else { None }
    }

    /// Returns the content blocks, without the text block of the value.
    pub fn blocks(&self) -> &[Content] {
        self.more.as_ref().map_or(&[], |more| &more.content)
    }

    pub(crate) fn next_cursor(&self) -> Option<&str> {
        self.more.as_ref()?.next_cursor.as_deref()
    }

    pub(crate) fn set_next_cursor(&mut self, cursor: String) {
        self.more().next_cursor = Some(cursor);
    }

    /// Inserts content blocks before those that the output already has.
    pub(crate) fn prepend(&mut self, content: Vec<Content>) {
        if !content.is_empty() {
            self.more().content.splice(0..0, content);
        }
    }

    /// Returns the author's `_meta` entries, if there are any.
    pub(crate) fn meta(&self) -> Option<&Map<String, Value>> {
        self.more.as_ref().map(|more| &more.meta).filter(|meta| !meta.is_empty())
    }

    /// Creates an output from a structured value.
    ///
    /// # Errors
    ///
    /// Fails if JSON cannot represent the value: a number is not finite, a map has keys that are not strings, or the
    /// type's own `Serialize` returns an error. Also fails if the value has more than 120 levels of nesting. A value
    /// with more than 1,000 levels is leaked instead of dropped, because its recursive `Drop` could overflow the stack.
    /// A value with more than 120 levels is also leaked if its `Serialize` fails below them, since the rest of it may
    /// have any depth.
    pub fn value(value: impl Serialize) -> Result<Self, ToolError> {
        match JsonText::write(&value) {
            Ok(json) => Ok(Self::new(Body::Value(json))),
            Err(error) => {
                if matches!(error, WriteError::TooDeep) {
                    forget_if_deep(value);
                }
                Err(not_json(error))
            }
        }
    }

    /// Refuses `_meta` that is nested too deeply, in the result and in its blocks. Writing or dropping such a `_meta`
    /// could overflow the stack.
    pub(crate) fn check_meta_depth(&mut self) -> Result<(), ToolError> {
        let Some(more) = &mut self.more else { return Ok(()) };
        if !more.all_meta().any(|meta| meta.values().any(|value| reader::read_value(value).is_err())) {
            return Ok(());
        }
        more.all_meta().for_each(|meta| forget_if_deep(std::mem::take(meta)));
        Err(ToolError::invalid_result(too_deep("its `_meta`")))
    }

    /// Creates an output that has content blocks and no structured value. A tool with an output schema cannot return
    /// such an output.
    ///
    /// ```
    /// use mcp_tool_runtime::{Image, Output};
    ///
    /// let output = Output::content(vec![Image::new(b"GIF89a", "image/gif").into()]);
    /// ```
    pub fn content(content: Vec<Content>) -> Self {
        let mut output = Self::new(Body::Blocks);
        output.more().content = content;
        output
    }

    /// Replaces the structured value and keeps everything else: the content blocks, the `_meta`, the
    /// [`own_text`](Self::own_text) and, for a page, the cursor of the next page. A new output would have no next page.
    ///
    /// ```
    /// use mcp_tool_runtime::{Output, Text, ToolError, json};
    ///
    /// let output = Output::value(json!({"name": "ann", "card": "4000 1234"}))?.with_text("ann, 4000 1234");
    /// let output = output.with_value(json!({"name": "ann"}))?.with_text("ann").with_blocks(vec![Text::new("1 card").into()]);
    /// assert_eq!((output.as_json(), output.own_text()), (Some(r#"{"name":"ann"}"#), Some("ann")));
    /// assert_eq!(output.blocks().len(), 1);
    /// # Ok::<(), ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Same as [`value`](Self::value).
    pub fn with_value(self, value: impl Serialize) -> Result<Self, ToolError> {
        Ok(Self { body: Self::value(value)?.body, ..self })
    }

    /// Replaces the content blocks and keeps everything else, as [`with_value`](Self::with_value) does.
    pub fn with_blocks(mut self, content: Vec<Content>) -> Self {
        self.more().content = content;
        self
    }

    /// Adds a content block at the end.
    pub fn with_content(mut self, content: impl Into<Content>) -> Self {
        self.more().content.push(content.into());
        self
    }

    /// Replaces the text of the structured value. By default, the text is the value's JSON.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, Output, ToolError};
    ///
    /// let output = Output::value(json!(["ann", "bob"]))?.with_text("2 users: ann, bob");
    /// # Ok::<(), ToolError>(())
    /// ```
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.more().text = TextBlock::Custom(text.into());
        self
    }

    /// Removes the text of the structured value. Clients that show only text will not show the value.
    pub fn without_text(mut self) -> Self {
        self.more().text = TextBlock::Absent;
        self
    }

    /// Adds an entry to the result's `_meta`.
    pub fn with_meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.more().meta.insert(key.into(), value.into());
        self
    }
}

/// The number of levels up to which a value can be dropped on a small stack.
const MAX_DROPPED: usize = 1_000;

/// Drops a value, unless it is nested too deeply for that, or its depth is unknown because its `Serialize` fails. A
/// leak only costs memory, while a stack overflow would end the process.
pub(crate) fn forget_if_deep(value: impl Serialize) {
    if writer::is_deeper_than(&value, MAX_DROPPED) {
        std::mem::forget(value);
    }
}

fn too_deep(part: &str) -> String {
    format!("{part} has more than {MAX_DEPTH} levels of nesting")
}

pub(crate) fn not_json(error: WriteError) -> ToolError {
    match error {
        WriteError::Serialize(error) => {
            ToolError::invalid_result("it cannot be written as JSON").with_developer_message(error.to_string())
        }
        WriteError::TooDeep => ToolError::invalid_result(too_deep("the value")),
        WriteError::NotFinite(path) if path.is_root() => ToolError::invalid_result("the value is not finite"),
        WriteError::NotFinite(path) => ToolError::invalid_result(format!("`{path}` is not finite")),
    }
}
