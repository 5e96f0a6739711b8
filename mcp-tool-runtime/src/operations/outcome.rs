//! How a call ended, and how it arrived.

/// How a call ended. See [`CallRecord::outcome`](super::CallRecord::outcome).
///
/// ```
/// use mcp_tool_runtime::operations::Outcome;
///
/// assert_eq!(Outcome::InvalidArguments.as_str(), "invalid_arguments");
/// assert!(Outcome::InvalidArguments.is_error() && !Outcome::Queued.is_error());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// The tool returned a value.
    Success,
    /// The tool returned an error that its author wrote for the model, perhaps with a [`code`](super::CallRecord::code).
    Failed,
    /// The tool or the server failed, and the caller reads no details. The log has them.
    Masked,
    /// The tool or a middleware panicked.
    Panicked,
    /// The arguments do not match the input schema or the types of the tool.
    InvalidArguments,
    /// The tool returned something that its output schema or the protocol does not allow.
    InvalidResult,
    /// The result is larger than `max_result_bytes` or its budget.
    TooLarge,
    /// The call took longer than its timeout.
    TimedOut,
    /// The call was given up: by the client, by a closed connection, or because the server was shut down.
    Cancelled,
    /// A [rule](crate::guide::audience#hidden-refused-shown) or a lack of scopes forbids the call.
    Refused,
    /// There were too many calls: of this caller, or in this server.
    Limited,
    /// There is no such tool for the caller.
    UnknownTool,
    /// The call ended with a question to the user. The client calls again with the answer.
    Asked,
    /// The call is stored for a worker, which leaves another record when it has run the call.
    Queued,
    /// The same call has run before, and its result is the answer: see [`once`](macro@crate::mcp_tool).
    Replayed,
    /// The request names the method of a call, but it violates the protocol.
    InvalidRequest,
}

impl Outcome {
    /// Returns the name in snake case, for labels and logs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Masked => "masked",
            Self::Panicked => "panicked",
            Self::InvalidArguments => "invalid_arguments",
            Self::InvalidResult => "invalid_result",
            Self::TooLarge => "too_large",
            Self::TimedOut => "timed_out",
            Self::Cancelled => "cancelled",
            Self::Refused => "refused",
            Self::Limited => "limited",
            Self::UnknownTool => "unknown_tool",
            Self::Asked => "asked",
            Self::Queued => "queued",
            Self::Replayed => "replayed",
            Self::InvalidRequest => "invalid_request",
        }
    }

    /// Returns `true` unless the call succeeded, asked a question, was stored or was answered with an earlier result.
    #[must_use]
    pub const fn is_error(self) -> bool {
        !matches!(self, Self::Success | Self::Asked | Self::Queued | Self::Replayed)
    }
}

/// How a call arrived. See [`CallRecord::carrier`](super::CallRecord::carrier).
///
/// ```
/// use mcp_tool_runtime::operations::Carrier;
///
/// assert_eq!(Carrier::PlainHttp.as_str(), "plain_http");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Carrier {
    /// Rust code called [`Dispatcher::call`](crate::Dispatcher::call), `call_json` or `pages`.
    Rust,
    /// A message for [`Protocol`](crate::protocol::Protocol).
    Protocol,
    /// Standard input.
    Stdio,
    /// The Model Context Protocol over HTTP.
    Http,
    /// Plain HTTP.
    PlainHttp,
    /// The web page.
    Page,
    /// The official SDK.
    Rmcp,
    /// The message of a model, in an agent loop.
    Export,
    /// The command line.
    CommandLine,
    /// Another tool, with [`CallContext::call`](crate::CallContext::call).
    Tool,
    /// A worker, which runs the calls that are stored in a task engine.
    Worker,
}

impl Carrier {
    /// Returns the name in snake case, for labels and logs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Protocol => "protocol",
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::PlainHttp => "plain_http",
            Self::Page => "page",
            Self::Rmcp => "rmcp",
            Self::Export => "export",
            Self::CommandLine => "command_line",
            Self::Tool => "tool",
            Self::Worker => "worker",
        }
    }

    /// Returns `true` if calls arrive as messages of the Model Context Protocol.
    pub(super) const fn speaks_mcp(self) -> bool {
        matches!(self, Self::Protocol | Self::Stdio | Self::Http | Self::Rmcp)
    }
}
