//! The response to a call, and the error for a request that does not reach a tool.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::de::{DeserializeOwned, Error as _};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::settings::Settings;
use super::{CallId, meta};
use crate::json::violation::quote_name;
use crate::json::writer::raw_json;
use crate::output::value::Body;
use crate::{Content, Output, ProtocolVersion, Role, Text, ToolError, mcp, otc};

/// The response to a call: a value, content, questions for the user, or an error, with the call's id and its duration.
///
/// [`to_mcp`](Self::to_mcp) converts it to a result of the Model Context Protocol, and [`to_otc`](Self::to_otc) to a
/// response of Open Tool Calling.
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher, ProtocolVersion};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// let response = dispatcher.call(CallToolRequest::new("add", json!({"a": 2, "b": 3}))).await?;
/// assert!(response.is_success());
/// assert_eq!(response.deserialize::<i64>()?, 5);
/// assert_eq!(response.to_mcp(ProtocolVersion::LATEST).structured_content.unwrap().get(), "5");
/// # Ok(())
/// # }
/// ```
pub struct CallToolResponse {
    pub(crate) call_id: CallId,
    pub(crate) duration: Duration,
    pub(crate) result: Result<Output, ToolError>,
    pub(crate) format: Arc<ResultFormat>,
    blocks: OnceLock<Box<Blocks>>,
}

/// What `mcp` and `otc` need to know about a tool and its dispatcher to write a result.
///
/// It does not contain the tool's states, so that a response does not keep them alive.
#[derive(Debug, Clone, Default)]
pub(crate) struct ResultFormat {
    pub(crate) tool_name: Arc<str>,
    /// The name that the call used, if it is a former name of the tool.
    pub(crate) former_name: Option<Box<str>>,
    /// `true` if the tool publishes an output schema. Its value is then sent as structured content.
    pub(crate) is_structured: bool,
    /// `true` if clients with a protocol version before 2026-07-28 get the value as `{"result": …}`.
    pub(crate) is_wrapped: bool,
    pub(crate) settings: Arc<Settings>,
}

/// The content blocks, and the value that Open Tool Calling sends for them. Both are computed on first use.
#[derive(Debug)]
struct Blocks {
    content: Vec<Content>,
    value: Option<Box<RawValue>>,
}

impl CallToolResponse {
    pub(crate) fn new(
        call_id: CallId,
        duration: Duration,
        result: Result<Output, ToolError>,
        format: &Arc<ResultFormat>,
    ) -> Self {
        Self { call_id, duration, result, format: Arc::clone(format), blocks: OnceLock::new() }
    }

    /// Creates an error response with a duration of zero, for a call that did not run here or whose result is lost.
    pub(crate) fn not_run(call_id: CallId, error: ToolError, format: &Arc<ResultFormat>) -> Self {
        Self::new(call_id, Duration::ZERO, Err(error), format)
    }

    /// Returns the call's id, which was sent by the caller or generated.
    pub fn call_id(&self) -> &CallId {
        &self.call_id
    }

    /// Returns how long the tool and the middlewares ran. This does not include the time for which the call waited for
    /// answers from the user, or for a permit of [`max_concurrency`](crate::DispatcherBuilder::max_concurrency).
    pub fn duration(&self) -> Duration {
        self.duration
    }

    /// Returns `true` if the call succeeded.
    pub fn is_success(&self) -> bool {
        self.result.as_ref().is_ok_and(|output| output.input_required().is_none())
    }

    /// Returns the questions that the user must answer before the tool runs (feature `ask`). A response with questions
    /// is not a success, and has neither a value nor an error. See [`InputRequired`](crate::ask::InputRequired).
    pub fn input_required(&self) -> Option<&crate::ask::InputRequired> {
        self.result.as_ref().ok()?.input_required()
    }

    /// Returns the value of a successful call, as Open Tool Calling sends it. Returns `None` if the call failed, or if
    /// the user must answer questions first.
    ///
    /// The value is:
    ///
    /// - the structured value, if there is one
    /// - the text, if the content is a single text block
    /// - the array of blocks for any other content
    /// - `null` for a tool that returns nothing
    pub fn value(&self) -> Option<&RawValue> {
        match &self.result.as_ref().ok()?.body {
            // The text is valid JSON, because this crate wrote it.
            Body::Value(value) => raw_json(value.as_str()),
            Body::Unit | Body::Blocks => self.blocks().value.as_deref(),
            Body::InputRequired(_) | Body::Unfinished(_) => None,
        }
    }

    /// Returns the cursor of the next page, if the tool returned a [`Paged`](crate::Paged) or an
    /// [`Excerpt`](crate::Excerpt), and there may be more pages. [`Dispatcher::pages`](crate::Dispatcher::pages)
    /// follows the cursor.
    pub fn next_cursor(&self) -> Option<&str> {
        self.result.as_ref().ok()?.next_cursor()
    }

    /// Returns the error of a failed call.
    pub fn error(&self) -> Option<&ToolError> {
        self.result.as_ref().err()
    }

    /// Returns the content blocks, in the form of the latest protocol version.
    pub fn content(&self) -> &[Content] {
        &self.blocks().content
    }

    /// Returns the notes for the model: one if the call succeeded with the result of an earlier call, and one if the
    /// call used a former name of the tool.
    pub(crate) fn notes(&self) -> impl Iterator<Item = Content> {
        let replayed = (self.result.is_ok() && self.is_replayed()).then(|| REPLAYED.to_owned());
        let renamed = self.format.former_name.as_deref().map(|former| {
            format!("The tool `{former}` is now called `{}`. Use that name from now on.", self.format.tool_name)
        });
        let notes = replayed.into_iter().chain(renamed);
        notes.map(|text| Text::new(text).with_audience([Role::Assistant]).into())
    }

    /// Returns `true` if an earlier call did the work, and this response repeats its result.
    pub(crate) fn is_replayed(&self) -> bool {
        match &self.result {
            Ok(output) => output.meta().is_some_and(|meta| meta.contains_key(meta::REPLAYED)),
            Err(error) => error.is_replayed(),
        }
    }

    /// Returns the error response for a protocol that has no questions. The error says that nobody can be asked.
    pub(crate) fn without_questions(&self, required: &crate::ask::InputRequired) -> Self {
        let error = crate::ask::unavailable(required);
        Self::new(self.call_id.clone(), self.duration, Err(error), &self.format)
    }

    /// Deserializes the value.
    ///
    /// # Errors
    ///
    /// Returns an error if the call failed, or if the value does not match the type.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        match (&self.result, self.value()) {
            (Err(error), _) => Err(serde_json::Error::custom(error)),
            (Ok(_), Some(value)) => serde_json::from_str(value.get()),
            (Ok(_), None) => Err(serde_json::Error::custom("the call has no value")),
        }
    }

    /// Converts the response to a `tools/call` result in this protocol version.
    pub fn to_mcp(&self, version: ProtocolVersion) -> mcp::CallToolResult {
        mcp::result::result(self, version)
    }

    /// Converts the response to a response of Open Tool Calling 1.0.
    ///
    /// If the user must answer questions first, this is an error response, because Open Tool Calling does not support
    /// questions.
    pub fn to_otc(&self) -> otc::CallToolResponse<'_> {
        otc::CallToolResponse::new(self)
    }

    fn blocks(&self) -> &Blocks {
        self.blocks.get_or_init(|| {
            let content = mcp::result::content(self, ProtocolVersion::LATEST);
            Box::new(Blocks { content, value: self.result.as_ref().ok().and_then(otc::value_of_content) })
        })
    }
}

debug_struct!(
    /// Does not show the value, because it may be secret.
    CallToolResponse, it =>
    call_id: it.call_id, duration: it.duration, is_success: it.is_success(), error: it.error(),
);

/// The note that a model reads with the result of an earlier call.
pub(crate) const REPLAYED: &str = "This is the result of an earlier call with the same arguments, and nothing was done again. To do it again, send a new \
                                   `idempotency_key`.";

/// Returns the `_meta` of a result: first the entries of the tool's output or of the error, then the tool's current
/// name if the call used a former name, and then the call's id and duration. A later entry replaces an earlier entry
/// with the same key.
pub(crate) fn result_meta(response: &CallToolResponse) -> Map<String, Value> {
    let output = response.result.as_ref().ok();
    let mut meta = output.and_then(Output::meta).cloned().unwrap_or_default();
    let mut set = |key: &str, value: Value| meta.insert(key.to_owned(), value);
    if let Err(error) = &response.result {
        set(meta::CAN_RETRY, error.can_retry().into());
        error.retry_after_ms().map(|after| set(meta::RETRY_AFTER_MS, after.into()));
        error.code().map(|code| set(meta::CODE, code.into()));
        error.data().map(|data| set(meta::DATA, data.clone()));
        error.is_replayed().then(|| set(meta::REPLAYED, true.into()));
    }
    if response.format.former_name.is_some() {
        set(meta::RENAMED_TO, (*response.format.tool_name).into());
    }
    set(meta::CALL_ID, response.call_id.as_str().into());
    set(meta::DURATION, milliseconds(response.duration).into());
    meta
}

/// Returns a duration in milliseconds.
///
/// It divides nanoseconds, because an `f64` holds them exactly up to 104 days: 40170 ns becomes 0.04017. Seconds times
/// 1,000 would give 0.040170000000000004. For a duration of more than 584 years, returns 584 years.
#[expect(clippy::cast_precision_loss, reason = "only durations of more than 104 days are rounded")]
pub(crate) fn milliseconds(duration: Duration) -> f64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX) as f64 / 1e6
}

/// The error for a request that does not reach a tool, for example because no tool has the requested name.
///
/// The Model Context Protocol sends it as a JSON-RPC error with this [`code`](Self::code). Open Tool Calling sends it
/// as a body with a `message` and the status 400 (see [`otc`](crate::otc)). A failure *in* a tool is a
/// [`CallToolResponse`](crate::CallToolResponse) instead.
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, DispatchError, Dispatcher};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let dispatcher = Dispatcher::builder().tools(tools![add]).build()?;
/// let error = dispatcher.call(CallToolRequest::new("ad", json!({}))).await.unwrap_err();
/// assert_eq!(error.code(), -32602);
/// assert_eq!(error.to_string(), "unknown tool `ad`; did you mean `add`?");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DispatchError {
    /// No tool has this name.
    UnknownTool {
        /// The name in the request.
        name: String,
        /// The most similar tool name, if there is a similar one.
        did_you_mean: Option<String>,
    },
    /// The server did not attach an extension that the tool needs, such as an authenticated user.
    MissingExtension {
        /// The type of the missing value.
        type_name: &'static str,
    },
    /// The tool needs an answer from the user, but the client's capabilities do not include forms (feature `ask`).
    MissingCapability,
    /// The request state is not valid: it is forged, has expired, or belongs to another call (feature `ask`). Only the
    /// log says which.
    InvalidState,
    /// The request is not a valid call: for example, it is not JSON, or it does not name a tool.
    InvalidRequest {
        /// What is wrong with the request.
        message: String,
    },
    /// A model's message or stream does not have the vendor's format, or reports an error from the vendor (feature
    /// `export`).
    InvalidMessage {
        /// What is wrong with the message.
        message: String,
    },
}

impl DispatchError {
    /// Returns the code of the JSON-RPC error: `-32602` (invalid params), `-32603` (internal error) for a missing
    /// extension, or `-32021` for a missing capability of the client.
    pub const fn code(&self) -> i32 {
        match self {
            Self::UnknownTool { .. }
            | Self::InvalidRequest { .. }
            | Self::InvalidMessage { .. }
            | Self::InvalidState => -32602,
            Self::MissingCapability => -32021,
            Self::MissingExtension { .. } => -32603,
        }
    }

    /// Returns the `data` of the JSON-RPC error.
    ///
    /// ```
    /// use mcp_tool_runtime::{DispatchError, json};
    ///
    /// let data = DispatchError::MissingCapability.data();
    /// assert_eq!(data, Some(json!({"requiredCapabilities": {"elicitation": {}}})));
    /// assert_eq!(DispatchError::InvalidState.data(), Some(json!({"reason": "invalid_request_state"})));
    /// ```
    pub fn data(&self) -> Option<Value> {
        match self {
            Self::MissingCapability => Some(json!({ "requiredCapabilities": { "elicitation": {} } })),
            Self::InvalidState => Some(json!({ "reason": "invalid_request_state" })),
            _ => None,
        }
    }
}

impl fmt::Display for DispatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTool { name, did_you_mean } => {
                write!(f, "unknown tool {}", quote_name(name))?;
                match did_you_mean {
                    Some(known) => write!(f, "; did you mean `{known}`?"),
                    None => Ok(()),
                }
            }
            // The type of the extension is an internal detail of the server, so only `Debug` shows it, for logs.
            Self::MissingExtension { .. } => f.write_str("the server did not attach what this tool needs"),
            Self::MissingCapability => {
                f.write_str("this tool asks the user, which needs the client capability `elicitation`")
            }
            Self::InvalidState => f.write_str("Invalid or expired requestState"),
            Self::InvalidRequest { message } => write!(f, "invalid request: {message}"),
            Self::InvalidMessage { message } => f.write_str(message),
        }
    }
}

impl std::error::Error for DispatchError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_keep_every_nanosecond() {
        for (nanos, expected) in [
            (0, "0.0"),
            (40_170, "0.04017"),
            (999_999, "0.999999"),
            (10_500_000, "10.5"),
            (1_234_567_890_123, "1234567.890123"),
        ] {
            let milliseconds = milliseconds(Duration::from_nanos(nanos));
            assert_eq!(serde_json::to_string(&milliseconds).expect("a number"), expected);
        }
    }
}
