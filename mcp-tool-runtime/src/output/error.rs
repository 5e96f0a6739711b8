//! `ToolError`: what a model reads about an error, what programs read, and what is only in the log.

use std::borrow::Cow;
use std::error::Error;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::error_kind::{self, ParameterError, ToolErrorKind, wait_text};
use super::value::not_json;
use crate::json::writer::{JsonText, WriteError};

/// The error of a failed call, with the fields of Open Tool Calling.
///
/// A model sees the [`message`](Self::message), the [`additional_prompt_content`](Self::additional_prompt_content), and
/// when it may try again. The [`code`](Self::code) and the [`data`](Self::data) are for the programs between the tool
/// and the model. The [`developer_message`](Self::developer_message) is for logs. The feature `tracing` logs it.
/// Without that feature, the developer message of a masked error is printed to standard error. You can also read it
/// from [`CallToolResponse::error`](crate::CallToolResponse::error) or in a [`Middleware`](crate::Middleware).
///
/// The operator `?` turns any [`std::error::Error`] into a *masked* `ToolError`: the model reads the tool's name and
/// the call id, but not the text of the internal error. This conversion covers every error type, so `ToolError` itself
/// cannot implement [`std::error::Error`].
///
/// ```
/// use std::time::Duration;
/// use mcp_tool_runtime::ToolError;
///
/// let error = ToolError::new("the printer is out of paper").with_retry_after(Duration::from_secs(60));
/// assert_eq!(error.message(), "the printer is out of paper");
/// assert!(error.can_retry());
///
/// fn read() -> Result<String, ToolError> {
///     Ok(std::fs::read_to_string("/no/such/file")?)
/// }
/// let masked = read().unwrap_err();
/// assert_eq!(masked.message(), "internal error");
/// assert!(masked.developer_message().unwrap().contains("No such file"));
/// ```
///
/// A `String` is not a [`std::error::Error`], so `?` does not convert it. If a model may read it, write
/// `.map_err(ToolError::new)`.
///
/// ```
/// # use mcp_tool_runtime::ToolError;
/// fn even(n: u8) -> Result<u8, String> {
///     if n % 2 == 0 { Ok(n) } else { Err(format!("{n} is odd")) }
/// }
///
/// fn half(n: u8) -> Result<u8, ToolError> {
///     Ok(even(n).map_err(ToolError::new)? / 2)
/// }
/// assert_eq!(half(3).unwrap_err().message(), "3 is odd");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
#[must_use]
pub struct ToolError(pub(super) Box<Inner>);

/// The fields of a [`ToolError`]. They are boxed, because they would otherwise make every `Result<Output, ToolError>`
/// large.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(super) struct Inner {
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) developer_message: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    can_retry: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_prompt_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<Box<str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) data: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "error_kind::serialize_as_map")]
    pub(super) parameter_errors: Vec<ParameterError>,
    #[serde(skip)]
    pub(super) kind: ToolErrorKind,
    /// Whether the error comes from an earlier, identical call of a tool with `once`.
    #[serde(skip)]
    pub(super) is_replayed: bool,
}

impl ToolError {
    pub(super) fn of(message: String, kind: ToolErrorKind) -> Self {
        Self(Box::new(Inner { message, kind, ..Inner::default() }))
    }

    /// Creates an error with a message for the model.
    pub fn new(message: impl Into<String>) -> Self {
        Self::of(message.into(), ToolErrorKind::Author)
    }

    /// Creates a masked error. The model reads ``internal error in tool `NAME` (call_id ID)``. The text of the error
    /// and of its sources goes into the developer message.
    ///
    /// ```
    /// use mcp_tool_runtime::ToolError;
    ///
    /// let error = ToolError::internal("the password of db-7 was refused");
    /// assert!(!error.message().contains("db-7"));
    /// assert_eq!(error.developer_message(), Some("the password of db-7 was refused"));
    /// ```
    pub fn internal(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::masked(chain(error.into().as_ref()))
    }

    pub(crate) fn masked(developer_message: String) -> Self {
        Self::of("internal error".to_owned(), ToolErrorKind::Masked).with_developer_message(developer_message)
    }

    /// Sets the message for logs. Models never see it.
    ///
    /// ```
    /// use mcp_tool_runtime::ToolError;
    ///
    /// let error = ToolError::new("the mail server is busy").with_developer_message("smtp-3: 421");
    /// assert_eq!(error.developer_message(), Some("smtp-3: 421"));
    /// ```
    pub fn with_developer_message(mut self, message: impl Into<String>) -> Self {
        self.0.developer_message = Some(message.into());
        self
    }

    pub(crate) fn without_developer_message(mut self) -> Self {
        self.0.developer_message = None;
        self
    }

    /// Sets whether repeating the same call later may succeed. The default is `false`.
    ///
    /// A model reads `The same call may succeed later.` after the message, unless the author's text already says so,
    /// for example with `try again`.
    pub fn with_can_retry(mut self, can_retry: bool) -> Self {
        self.0.can_retry = can_retry;
        self
    }

    /// Sets how long to wait before the same call is repeated. Implies `can_retry`.
    ///
    /// A model reads the time after the message, unless the author's text already says `try again in …`:
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::time::Duration;
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Content, Dispatcher, ToolError};
    ///
    /// /// Print a page.
    /// #[mcp_tool]
    /// async fn print() -> Result<(), ToolError> {
    ///     Err(ToolError::new("the printer is busy").with_retry_after(Duration::from_secs(30)))
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![print]).build()?;
    /// let response = dispatcher.call(CallToolRequest::new("print", json!({}))).await?;
    /// assert_eq!(response.error().unwrap().message(), "the printer is busy");
    /// let [Content::Text(text)] = response.content() else { unreachable!() };
    /// assert_eq!(text.text(), "the printer is busy. Try again in 30 s.");
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_retry_after(mut self, after: Duration) -> Self {
        self.0.retry_after_ms = Some(u64::try_from(after.as_millis()).unwrap_or(u64::MAX));
        self.0.can_retry = true;
        self
    }

    /// Adds text that helps the model correct its call, such as the ids that exist.
    ///
    /// ```
    /// use mcp_tool_runtime::ToolError;
    ///
    /// let error = ToolError::new("no note has the id 7").with_additional_prompt_content("the ids are 1 to 5");
    /// assert_eq!(error.additional_prompt_content(), Some("the ids are 1 to 5"));
    /// ```
    pub fn with_additional_prompt_content(mut self, content: impl Into<String>) -> Self {
        self.0.additional_prompt_content = Some(content.into());
        self
    }

    /// Returns the message for the model.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the message for logs.
    ///
    /// Results of the Model Context Protocol never contain it. Open Tool Calling responses contain it only if
    /// [`expose_developer_messages`](crate::DispatcherBuilder::expose_developer_messages) is enabled.
    pub fn developer_message(&self) -> Option<&str> {
        self.0.developer_message.as_deref()
    }

    /// Returns `true` if repeating the same call later may succeed.
    pub fn can_retry(&self) -> bool {
        self.0.can_retry
    }

    /// Returns the text that helps the model correct its call.
    pub fn additional_prompt_content(&self) -> Option<&str> {
        self.0.additional_prompt_content.as_deref()
    }

    /// Returns how long to wait before trying again, in milliseconds.
    pub fn retry_after_ms(&self) -> Option<u64> {
        self.0.retry_after_ms
    }

    /// Returns the message as a model reads it. A model never sees `_meta`, which says when to repeat the call. So
    /// this text says it too, unless the author's text already does.
    pub(crate) fn text_for_model(&self) -> Cow<'_, str> {
        let Inner { message, additional_prompt_content, .. } = &*self.0;
        let says = |words: &str| {
            let texts = [Some(message), additional_prompt_content.as_ref()];
            texts.into_iter().flatten().any(|text| text.to_ascii_lowercase().contains(words))
        };
        let hint = match self.0.retry_after_ms.filter(|after| *after > 0) {
            Some(after) if !says("try again in ") => format!("Try again in {}.", wait_text(after)),
            None if self.0.can_retry && !says("try again") && !says("may succeed later") => {
                "The same call may succeed later.".to_owned()
            }
            _ => return message.into(),
        };
        with_sentence(message, &hint).into()
    }

    /// Returns the invalid parameters, each with its path and what is wrong with it.
    ///
    /// The [`message`](Self::message) lists the same parameters. The slice is empty if the error is not about
    /// arguments, or if it is about the arguments as a whole.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher};
    ///
    /// /// Add numbers.
    /// #[mcp_tool]
    /// async fn add(summands: Vec<i32>) -> i32 {
    ///     summands.iter().sum()
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
    /// let response = dispatcher.call(CallToolRequest::new("add", json!({"summands": [1, true]}))).await?;
    /// let [error] = response.error().unwrap().errors() else { unreachable!() };
    /// assert_eq!(error.parameter(), "summands[1]");
    /// assert_eq!(error.message(), "expected an integer, got a boolean");
    /// # Ok(())
    /// # }
    /// ```
    pub fn errors(&self) -> &[ParameterError] {
        &self.0.parameter_errors
    }
}

display!(
    /// Writes the message for the model.
    ToolError, it => &it.0.message
);

/// Masks the error: see [`ToolError::internal`]. With the feature `rmcp`, an `rmcp::ErrorData` keeps its message.
impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        #[cfg(feature = "rmcp")]
        if let Some(data) = (&error as &dyn std::any::Any).downcast_ref::<::rmcp::ErrorData>() {
            return crate::IntoToolError::into_tool_error(data.clone());
        }
        Self::internal(error)
    }
}

/// Returns the text of an error and of its sources, outermost first. A text that repeats the previous text is left out.
pub(crate) fn chain(error: &dyn Error) -> String {
    let errors = std::iter::successors(Some(error), |&error| error.source());
    let mut texts: Vec<_> = errors.map(ToString::to_string).collect();
    texts.dedup();
    texts.join(": ")
}

impl ToolError {
    /// Sets an error code for programs, such as `NOT_FOUND`. You define the codes.
    ///
    /// Models do not read the code. Results of the Model Context Protocol contain it in `_meta`, as `rs.mcp-tool/code`.
    /// Open Tool Calling responses contain it as the property `code` of the error.
    ///
    /// A masked error keeps its code.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher, ProtocolVersion, ToolError};
    ///
    /// /// Delete a note.
    /// #[mcp_tool]
    /// async fn delete(id: u32) -> Result<(), ToolError> {
    ///     let error = ToolError::new(format!("there is no note {id}"));
    ///     Err(error.with_code("NOT_FOUND").with_data(json!({"first": 1, "last": 5})))
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![delete]).build()?;
    /// let response = dispatcher.call(CallToolRequest::new("delete", json!({"id": 7}))).await?;
    /// let result = response.to_mcp(ProtocolVersion::LATEST);
    /// assert_eq!(result.meta["rs.mcp-tool/code"], "NOT_FOUND");
    /// assert_eq!(result.meta["rs.mcp-tool/data"], json!({"first": 1, "last": 5}));
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_code(mut self, code: impl Into<String>) -> Self {
        self.0.code = Some(code.into().into());
        self
    }

    /// Sets data about the failure for programs, such as the ids that exist.
    ///
    /// Like the [code](Self::with_code), the data is not for models. Results of the Model Context Protocol contain it
    /// in `_meta`, as `rs.mcp-tool/data`. Open Tool Calling responses contain it as the property `data` of the error.
    ///
    /// Data that JSON cannot represent, such as NaN or a map whose keys are not strings, is dropped. Data whose JSON is
    /// longer than [`max_result_bytes`](crate::DispatcherBuilder::max_result_bytes) is dropped when the error is sent.
    /// In both cases the developer message says so.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, ToolError};
    ///
    /// let error = ToolError::new("the seats are taken").with_data([12, 13]);
    /// assert_eq!(error.data(), Some(&json!([12, 13])));
    /// ```
    pub fn with_data(mut self, data: impl Serialize) -> Self {
        let written = JsonText::write(&data).map_err(|error| match error {
            WriteError::Serialize(error) => error.to_string(),
            WriteError::NotFinite(_) => not_json(error).message().to_owned(),
            WriteError::TooDeep => "it has too many levels of nesting".to_owned(),
        });
        let read = written.and_then(|json| serde_json::from_str(json.as_str()).map_err(|error| error.to_string()));
        match read {
            Ok(data) => self.0.data = Some(data),
            Err(problem) => self.leave_out_data(&format!("it cannot be written as JSON: {problem}")),
        }
        self
    }

    /// Returns the code for programs.
    pub fn code(&self) -> Option<&str> {
        self.0.code.as_deref()
    }

    /// Returns the data for programs.
    pub fn data(&self) -> Option<&Value> {
        self.0.data.as_ref()
    }

    /// Removes data that is too large to send.
    pub(crate) fn limit_data(&mut self, max_bytes: usize) {
        let Some(data) = &self.0.data else { return };
        let bytes = data.to_string().len();
        if bytes > max_bytes {
            self.leave_out_data(&format!("it has {bytes} bytes, and at most {max_bytes} are sent"));
        }
    }

    /// Removes the data and says why in the developer message.
    fn leave_out_data(&mut self, reason: &str) {
        self.0.data = None;
        let note = format!("the data of the error is left out: {reason}");
        self.0.developer_message = Some(match self.0.developer_message.take() {
            Some(message) => format!("{message}; {note}"),
            None => note,
        });
    }
}

/// Appends a sentence to a text. If the text does not end with `.`, `!`, `?` or `…`, puts a full stop between the two.
pub(crate) fn with_sentence(text: &str, sentence: &str) -> String {
    let text = text.trim_end();
    let stop = if text.is_empty() || text.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    format!("{text}{stop} {sentence}").trim_start().to_owned()
}
