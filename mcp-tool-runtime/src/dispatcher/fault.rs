//! Faults of a request, as opposed to failures of a tool.

use std::fmt;

use crate::document::name::quote_name;

/// The request itself is at fault: there is no tool to answer it.
///
/// The Model Context Protocol wants such a fault as a JSON-RPC error (rule R8), Open Tool Calling under the status 400 as
/// a body with its `message` (see [`otc`](crate::otc)); everything that goes wrong in a tool is
/// a [`CallToolResponse`](crate::CallToolResponse).
///
/// ```
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
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
/// # let waker = std::task::Waker::noop();
/// # let mut run = std::pin::pin!(run());
/// # assert!(matches!(run.as_mut().poll(&mut std::task::Context::from_waker(waker)), std::task::Poll::Ready(Ok(()))));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DispatchError {
    /// No tool has this name.
    UnknownTool {
        /// The name that was asked for.
        name: String,
        /// The known name that it was perhaps meant for.
        did_you_mean: Option<String>,
    },
    /// The server did not attach to the request what the tool needs of it, an authenticated user say.
    MissingExtension {
        /// The type of what is missing.
        type_name: &'static str,
    },
    /// The request is not one for a call: it is not JSON, or it names no tool.
    InvalidRequest {
        /// What is wrong with it.
        message: String,
    },
}

impl DispatchError {
    /// The code of the JSON-RPC error.
    #[must_use]
    pub const fn code(&self) -> i32 {
        match self {
            Self::UnknownTool { .. } | Self::InvalidRequest { .. } => -32602,
            Self::MissingExtension { .. } => -32603,
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
            // Which type it is, is for the logs: `Debug` has it.
            Self::MissingExtension { .. } => f.write_str("the server did not attach what this tool needs"),
            Self::InvalidRequest { message } => write!(f, "invalid request: {message}"),
        }
    }
}

impl std::error::Error for DispatchError {}
