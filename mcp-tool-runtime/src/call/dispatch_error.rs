//! Errors of a request, as opposed to failures of a tool.

use std::fmt;

use serde_json::{Value, json};

use crate::json::violation::quote_name;

/// The error of a request that does not reach a tool, for example because no tool has the requested name.
///
/// The Model Context Protocol sends it as a JSON-RPC error with this [`code`](Self::code). Open Tool Calling sends it as
/// a body with a `message` and the status 400 (see [`otc`](crate::otc)). A failure *in* a tool is a
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
    /// The request state is not valid: it is forged, has expired, or belongs to another call (feature `ask`). Only the log says
    /// which.
    InvalidState,
    /// The request is not a call: it is not valid JSON, or it does not name a tool.
    InvalidRequest {
        /// What is wrong with the request.
        message: String,
    },
    /// A message of a model, or its stream, does not have the vendor's format, or reports an error of the vendor (feature `export`).
    InvalidMessage {
        /// What is wrong with the message.
        message: String,
    },
}

impl DispatchError {
    /// Returns the code of the JSON-RPC error: `-32602` (invalid params), `-32603` (internal error) for a missing extension,
    /// or `-32021` for a missing capability of the client.
    #[must_use]
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
    #[must_use]
    pub fn data(&self) -> Option<Value> {
        match self {
            Self::MissingCapability => Some(json!({ "requiredCapabilities": { "elicitation": {} } })),
            Self::InvalidState => Some(json!({ "reason": "invalid_request_state" })),
            Self::UnknownTool { .. }
            | Self::InvalidRequest { .. }
            | Self::InvalidMessage { .. }
            | Self::MissingExtension { .. } => None,
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
            // The type is an internal of the server. `Debug` shows it, for logs.
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
