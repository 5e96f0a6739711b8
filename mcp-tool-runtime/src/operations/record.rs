//! What an operator reads about one call: how it arrived, and how it ended.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::ask::ClientInfo;
use crate::call::Meta;
use crate::{CallId, ProtocolVersion};

/// The parts of a tool that the records of its calls keep. A record does not keep the tool itself: the record may
/// outlive the dispatcher, and the tool would then stay in memory.
pub(crate) struct RecordedTool {
    pub(crate) name: Arc<str>,
    /// The published names of the arguments.
    pub(crate) arguments: Box<[Box<str>]>,
}

impl RecordedTool {
    pub(crate) fn new(name: &Arc<str>, input_schema: &Value) -> Arc<Self> {
        let properties = input_schema["properties"].as_object().into_iter().flatten();
        Arc::new(Self { name: Arc::clone(name), arguments: properties.map(|(name, _)| name.as_str().into()).collect() })
    }

    /// Returns the position at which the tool publishes an argument. Rarely called, because most clients send the
    /// arguments in the published order.
    #[cold]
    pub(super) fn position(&self, argument: &str) -> Option<usize> {
        self.arguments.iter().position(|known| **known == *argument)
    }
}

/// The record of one call: who called which tool, how long it took, and how it ended. It never contains the value of an
/// argument or of a result.
///
/// A function for [`on_call`](crate::DispatcherBuilder::on_call) gets a record of each request that the server
/// understood as a call, however the call ended. Calls that a tool makes with
/// [`CallContext::call`](crate::CallContext::call) have their own records. Cloning is cheap, so a record can be sent to
/// another task.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::mpsc;
/// use mcp_tool_runtime::operations::{CallRecord, Carrier, Outcome};
/// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let (send, records) = mpsc::channel();
/// let dispatcher = Dispatcher::builder()
///     .tools(tools![add])
///     .on_call(move |call: &CallRecord| drop(send.send(call.clone())))
///     .build()?;
/// dispatcher.call(CallToolRequest::new("add", json!({"a": 2, "b": 3}))).await?;
///
/// let record = records.try_recv()?;
/// assert_eq!((record.tool(), record.outcome(), record.carrier()), (Some("add"), Outcome::Success, Carrier::Rust));
/// assert!(record.argument_names().eq(["a", "b"]));
/// assert_eq!((record.argument_bytes(), record.result_bytes()), (13, 1));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct CallRecord {
    pub(super) tool: Option<Arc<RecordedTool>>,
    pub(crate) call_id: Option<CallId>,
    pub(crate) attempt: u32,
    /// The `_meta` of the request if it is short. It may name the client, and is parsed only when `client` is called.
    pub(super) meta: Option<Arc<str>>,
    pub(super) version: Option<ProtocolVersion>,
    pub(super) carrier: Carrier,
    pub(super) started_at: SystemTime,
    pub(super) duration: Duration,
    pub(super) waited: Duration,
    pub(crate) argument_bytes: usize,
    pub(super) result_bytes: usize,
    /// Which of the tool's first 64 arguments were given, one bit each. This needs no allocation.
    pub(super) arguments: u64,
    pub(super) outcome: Outcome,
    /// The code of the JSON-RPC error, if the call was answered with one.
    pub(super) error_code: Option<i32>,
    pub(super) more: Option<Box<More>>,
}

/// The values that are missing from many records. They are boxed, so that the record of a plain call is small.
#[derive(Clone, Default)]
pub(crate) struct More {
    pub(crate) parent: Option<CallId>,
    pub(crate) task_id: Option<String>,
    pub(crate) principal: Option<String>,
    pub(super) client: Option<ClientInfo>,
    /// The positions of the given arguments beyond the first 64.
    pub(super) arguments: Vec<usize>,
    pub(super) code: Option<Box<str>>,
}

impl CallRecord {
    /// Returns the name that the tool is registered with, or `None` if the request names no tool of this server. So a
    /// client cannot add labels to your metrics by making up names.
    ///
    /// If the outcome is [`UnknownTool`](Outcome::UnknownTool) and this method returns a name, a rule hides the tool
    /// from the caller.
    pub fn tool(&self) -> Option<&str> {
        Some(&self.tool.as_ref()?.name)
    }

    /// Returns how the call ended.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Returns the [code](crate::ToolError::with_code) of the error: either a code that the author of the tool defines,
    /// or a code of this library, such as `limited`.
    pub fn code(&self) -> Option<&str> {
        self.more.as_ref()?.code.as_deref()
    }

    /// Returns the id of the call, which is also in its response. A request that never became a call has no id.
    pub fn call_id(&self) -> Option<&CallId> {
        self.call_id.as_ref()
    }

    /// Returns the id of the call whose tool made this call, if a tool made it.
    pub fn parent(&self) -> Option<&CallId> {
        self.more.as_ref()?.parent.as_ref()
    }

    /// Returns the id of the task that the call became, or that a worker ran (feature `tasks`).
    pub fn task_id(&self) -> Option<&str> {
        self.more.as_ref()?.task_id.as_deref()
    }

    /// Returns how many times a worker has started the call, including this time. It is 1 for a call that is not
    /// stored.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// Returns the principal of the request: what the function of [`principal`](crate::DispatcherBuilder::principal)
    /// returned, or else the issuer and the subject of a verified token, as a JSON array.
    pub fn principal(&self) -> Option<&str> {
        self.more.as_ref()?.principal.as_deref()
    }

    /// Returns the program that sent the request, if it named itself. Any client can send any name. A name or a version
    /// longer than 128 bytes is truncated.
    pub fn client(&self) -> Option<ClientInfo> {
        let of_session = self.more.as_ref().and_then(|more| more.client.clone());
        let of_request = || ClientInfo::of_request(Some(Meta::of_text(self.meta.as_deref()?).map()));
        of_session.or_else(|| Some(of_request()?.shortened()))
    }

    /// Returns the version of the Model Context Protocol. A call that did not arrive as a message of this protocol has
    /// no version, and neither has a request whose version could not be read.
    pub fn version(&self) -> Option<ProtocolVersion> {
        self.version
    }

    /// Returns how the call arrived.
    pub fn carrier(&self) -> Carrier {
        self.carrier
    }

    /// Returns when the request was read. With [`exact_calls`](crate::DispatcherBuilder::exact_calls), which reads no
    /// clock, it is the Unix epoch.
    pub fn started_at(&self) -> SystemTime {
        self.started_at
    }

    /// Returns how long the tool and its middlewares ran, without the time for which they waited for the user's
    /// answers.
    pub fn duration(&self) -> Duration {
        self.duration
    }

    /// Returns how long the call waited: for a permit of
    /// [`max_concurrency`](crate::DispatcherBuilder::max_concurrency), for the answers of the user, and for the end of
    /// an identical call if its tool has [`once`](macro@crate::mcp_tool).
    pub fn waited(&self) -> Duration {
        self.waited
    }

    /// Returns the size of the arguments in bytes of JSON, as
    /// [`max_argument_bytes`](crate::DispatcherBuilder::max_argument_bytes) counts them.
    pub fn argument_bytes(&self) -> usize {
        self.argument_bytes
    }

    /// Returns the size of the result in bytes of JSON, as
    /// [`max_result_bytes`](crate::DispatcherBuilder::max_result_bytes) counts it. This is also the size of a result
    /// that was too large. For other errors, it is 0.
    pub fn result_bytes(&self) -> usize {
        self.result_bytes
    }

    /// Returns the names of the arguments in the request, in the order in which the tool publishes them. A name that
    /// the tool does not publish is left out, because the client may have made it up.
    pub fn argument_names(&self) -> impl Iterator<Item = &str> {
        let names = self.tool.as_ref().map_or(&[][..], |tool| &tool.arguments);
        let is_given = |position| match position {
            0..64 => self.arguments & 1 << position != 0,
            _ => self.more.as_ref().is_some_and(|more| more.arguments.contains(&position)),
        };
        names.iter().enumerate().filter(move |(position, _)| is_given(*position)).map(|(_, name)| &**name)
    }

    /// Returns the attributes of the metric `mcp.server.operation.duration`, with the names of OpenTelemetry's
    /// conventions for MCP. No client can make up a value.
    ///
    /// ```
    /// # fn show(call: &mcp_tool_runtime::operations::CallRecord) {
    /// for (name, value) in call.attributes() {
    ///     println!("{name} = {value}"); // mcp.method.name = tools/call, gen_ai.tool.name = add, network.transport = tcp, …
    /// }
    /// # }
    /// ```
    pub fn attributes(&self) -> Vec<(&'static str, String)> {
        let is_mcp = self.carrier.speaks_mcp();
        let transport = match self.carrier {
            Carrier::Stdio => Some("pipe"),
            Carrier::Http | Carrier::PlainHttp | Carrier::Page => Some("tcp"),
            _ => None,
        };
        let error_code = self.error_code.filter(|_| is_mcp).map(|code| code.to_string());
        let error_type = error_code.clone().or_else(|| match self.outcome {
            outcome if !outcome.is_error() => None,
            // Calls with these outcomes usually have no result, so use the outcome as the error type. For an error
            // result, OpenTelemetry's conventions prescribe `tool_error`.
            Outcome::Cancelled | Outcome::InvalidRequest | Outcome::UnknownTool => {
                Some(self.outcome.as_str().to_owned())
            }
            _ => Some("tool_error".to_owned()),
        });
        let attributes = [
            ("mcp.method.name", is_mcp.then(|| "tools/call".to_owned())),
            ("gen_ai.operation.name", Some("execute_tool".to_owned())),
            ("gen_ai.tool.name", self.tool().map(str::to_owned)),
            ("error.type", error_type),
            ("rpc.response.status_code", error_code),
            ("mcp.protocol.version", self.version.map(|version| version.as_str().to_owned())),
            ("network.transport", transport.map(str::to_owned)),
            ("network.protocol.name", (transport == Some("tcp")).then(|| "http".to_owned())),
        ];
        attributes.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

debug_struct!(CallRecord, it =>
    tool: it.tool(), outcome: it.outcome.as_str(), code: it.code(), call_id: it.call_id, task_id: it.task_id(),
    carrier: it.carrier.as_str(), duration: it.duration,
);

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
    /// The tool returned a result that is not an error.
    Success,
    /// The tool returned an error that its author wrote for the model, perhaps with a
    /// [`code`](super::CallRecord::code).
    Failed,
    /// The tool or the server failed, and the caller gets no details. The log has them.
    Masked,
    /// The tool or a middleware panicked.
    Panicked,
    /// The arguments do not match the input schema or the types of the tool.
    InvalidArguments,
    /// The tool returned something that its output schema or the protocol does not allow.
    InvalidResult,
    /// The result is larger than `max_result_bytes` or the budget of its tool.
    TooLarge,
    /// The call took longer than its timeout.
    TimedOut,
    /// The call was abandoned: the client cancelled it, the connection was closed, the server was shut down, or a
    /// worker stopped in the middle of the call.
    Cancelled,
    /// A [rule](crate::guide::audience#hidden-refused-shown) or a lack of scopes forbids the call, or an agent loop
    /// refused it (feature `export`).
    Refused,
    /// There were too many calls or tasks: from this caller, or on this server.
    Limited,
    /// No tool has the requested name, or the tool is hidden from the caller.
    UnknownTool,
    /// The call ended with a question to the user. The client calls again with the answer.
    Asked,
    /// The call is stored for a worker, which leaves another record when it has run the call.
    Queued,
    /// An identical call has run before, and its result is the answer: see [`once`](macro@crate::mcp_tool).
    Replayed,
    /// The client requested a call, but the request violates the protocol, or the client lacks a capability that the
    /// tool needs. In an agent loop, this can also mean that the model stopped before the call was complete.
    InvalidRequest,
}

impl Outcome {
    /// Returns the name in snake case, for labels and logs.
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
    /// A message that was passed to [`Protocol`](crate::protocol::Protocol).
    Protocol,
    /// The Model Context Protocol over standard input and output.
    Stdio,
    /// The Model Context Protocol over HTTP.
    Http,
    /// HTTP without the Model Context Protocol.
    PlainHttp,
    /// The web page that shows the tools (feature `page`).
    Page,
    /// The official SDK for Rust (feature `rmcp`).
    Rmcp,
    /// The message of a model, in an agent loop.
    Export,
    /// A command of the server's own command line (feature `cli`).
    CommandLine,
    /// Another tool, with [`CallContext::call`](crate::CallContext::call).
    Tool,
    /// A worker, which runs the calls that are stored in a task engine.
    Worker,
}

impl Carrier {
    /// Returns the name in snake case, for labels and logs.
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

    /// Returns `true` if calls with this carrier arrive as messages of the Model Context Protocol.
    pub(super) const fn speaks_mcp(self) -> bool {
        matches!(self, Self::Protocol | Self::Stdio | Self::Http | Self::Rmcp)
    }
}
