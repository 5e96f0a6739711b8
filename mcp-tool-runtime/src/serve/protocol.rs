//! The Model Context Protocol without a transport: one JSON-RPC message in, one out.
//!
//! [`http`](super::http) and [`stdio`](super::stdio) build on this module. Use [`Protocol`] for your own transport: a
//! web socket, a queue, or a serverless function. The methods of the tasks extension are here too, and so are calls
//! that may become tasks.

use std::borrow::Cow;

use serde_json::Value;

use crate::dispatcher::{Gate, PreparedCall, TaskAnswer, TaskError, TransportContext};
use crate::json::violation::quote_name;
use crate::mcp::identity;
use crate::mcp::message::{ErrorKind, Message, ProtocolError, Request};
use crate::mcp::params::{RequestParams, string};
use crate::mcp::task::{is_declared, missing_extension, with_meta};
use crate::mcp::version::{negotiate, requested_version};
use crate::operations::{Carrier, Outcome};
use crate::tool::metadata::TaskUse;
use crate::{BoxFuture, CallToolResponse, DispatchError, Dispatcher, Extensions, ProtocolVersion};

/// Answers the messages of the Model Context Protocol: `initialize`, `server/discover`, `ping`, `tools/list` and
/// `tools/call`.
///
/// If the dispatcher has tasks (feature `tasks`), it also answers `tasks/get`, `tasks/update` and `tasks/cancel`.
///
/// It supports tools only. For resources, prompts and sampling, add the tools to a `ServerHandler` of the official SDK,
/// with `Dispatcher::rmcp_routes` (feature `rmcp`).
///
/// It is stateless: it does not remember an `initialize`. Version 2026-07-28 requires every request to name its version
/// in `_meta`. A request that names none is answered in the form of 2025-06-18. A `Protocol` sends no progress, since
/// its answer is a single message. For progress, use [`http`](super::http) or [`stdio`](super::stdio).
///
/// ```
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcp_tool_runtime::protocol::Protocol;
/// use mcp_tool_runtime::{json, mcp_tool, serde_json, tools, Dispatcher};
///
/// /// Add two numbers.
/// #[mcp_tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let protocol = Protocol::new(Dispatcher::builder().tools(tools![add]).build()?);
/// let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}}"#;
/// let answer: serde_json::Value = serde_json::from_slice(&protocol.answer(call).await.unwrap())?;
/// assert_eq!(answer["result"]["structuredContent"], json!({"result": 5}));
///
/// let notification = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
/// assert!(protocol.answer(notification).await.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Protocol {
    dispatcher: Dispatcher,
}

impl Protocol {
    /// Creates a protocol for the tools of a dispatcher.
    pub fn new(dispatcher: Dispatcher) -> Self {
        Self { dispatcher }
    }

    /// Returns the dispatcher whose tools this protocol serves.
    pub fn dispatcher(&self) -> &Dispatcher {
        &self.dispatcher
    }

    /// Answers one message. Returns `None` for a message that needs no answer, such as a notification.
    ///
    /// An invalid message is answered with a JSON-RPC error. The answer may contain line breaks, if a tool's own JSON
    /// has some between its tokens. Dropping the future cancels the call.
    pub async fn answer(&self, message: &[u8]) -> Option<Vec<u8>> {
        self.answer_with(message, Extensions::new()).await
    }

    /// Answers one message like [`answer`](Self::answer), with extensions, such as an authenticated user that a tool
    /// takes as `#[mcp_tool(extension)] user: &User`.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::protocol::Protocol;
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions};
    ///
    /// struct User(&'static str);
    ///
    /// /// Get the name of the user.
    /// #[mcp_tool]
    /// async fn who_am_i(#[mcp_tool(extension)] user: &User) -> String {
    ///     user.0.to_owned()
    /// }
    ///
    /// let protocol = Protocol::new(Dispatcher::builder().tools(tools![who_am_i]).build()?);
    /// let mut extensions = Extensions::new();
    /// extensions.insert(User("ann"));
    /// let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"who_am_i"}}"#;
    /// let answer = protocol.answer_with(call, extensions).await.unwrap();
    /// assert!(String::from_utf8(answer)?.contains(r#""structuredContent":{"result":"ann"}"#));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn answer_with(&self, message: &[u8], extensions: Extensions) -> Option<Vec<u8>> {
        let id;
        // Use a block, so that the future does not hold `params` while the call runs.
        let mut begun = {
            let mut params = RequestParams::default();
            let (request, params) = match Message::read(message, &mut params, self.dispatcher.settings()) {
                Ok(Message::Request(request, params)) => (request, params),
                Ok(Message::Notification { .. } | Message::Response { .. }) => return None,
                Err(response) => return Some(response),
            };
            id = request.id;
            let record = self.dispatcher.open_record_of(&request.method, Carrier::Protocol, &extensions);
            let start = || {
                let params = params?;
                let version = requested_version(params.meta.as_ref())?.unwrap_or(ProtocolVersion::V2025_06_18);
                let transport = TransportContext { extensions, record, ..TransportContext::default() };
                self.begin(request, params, version, transport, None)
            };
            start()
        };
        // Borrow `begun`, because moving it copies a lot.
        let answer = match begun {
            Ok(ref mut begun) => self.finish(id, begun).await,
            Err(error) => Err(error),
        };
        Some(answer.unwrap_or_else(|error| error.to_bytes(Some(id))))
    }

    /// Handles the part of a request that needs no waiting. [`finish`](Self::finish) does the rest. The two are
    /// separate, so that the future of `finish` does not hold the request.
    pub(crate) fn begin<'m>(
        &'m self,
        request: Request<'m>,
        params: &mut RequestParams<'m>,
        version: ProtocolVersion,
        transport: TransportContext,
        gate: Option<Gate<'m>>,
    ) -> Result<Begun<'m>, ProtocolError> {
        let (dispatcher, id) = (&self.dispatcher, request.id);
        let result: Cow<'_, [u8]> = match (&*request.method, version.is_legacy()) {
            ("tools/call", _) => {
                let meta = params.meta.as_ref().filter(|_| !version.is_legacy());
                let capabilities = meta.and_then(|meta| meta.client_capabilities);
                let mut prepared = match dispatcher.prepare(params, version, transport.with_request_id(id), gate) {
                    Ok(prepared) => prepared,
                    Err(rejection) => return Ok(Begun::Ended(self.response(id, &rejection.into_response()?, version))),
                };
                return match prepared.task_use() {
                    Some(_) if capabilities.is_some_and(is_declared) => {
                        Ok(Begun::Task(Box::pin(self.run_as_task(id, prepared))))
                    }
                    Some(TaskUse::Required) => {
                        prepared.record.end(Outcome::InvalidRequest);
                        Err(missing_extension(version.is_legacy()))
                    }
                    Some(_) | None => Ok(Begun::Call(prepared)),
                };
            }
            ("tools/list", _) if params.cursor.is_some() => {
                let error = ProtocolError::new(ErrorKind::Method, -32602, "unknown cursor: the list has only one page");
                return Err(error);
            }
            ("tools/list", _) => return Ok(Begun::Ended(self.list(id, version, &transport))),
            ("server/discover", false) => {
                identity::discover(dispatcher.identity(), dispatcher.list_caching(), dispatcher.has_tasks()).into()
            }
            ("initialize", true) => {
                let requested = params.protocol_version.and_then(string);
                let not_text = || ProtocolError::invalid_params("`protocolVersion` must be a string");
                let requested = requested.ok_or_else(not_text)?;
                identity::initialize(dispatcher.identity(), negotiate(&requested)).into()
            }
            ("ping", true) => b"{}"[..].into(),
            ("tasks/get" | "tasks/update" | "tasks/cancel", false) if dispatcher.has_tasks() => {
                let params = std::mem::take(params);
                return Ok(Begun::Task(Box::pin(self.answer_about_task(request, params, transport.extensions))));
            }
            (method, is_legacy) => {
                let text = match method {
                    "tasks/get" | "tasks/update" | "tasks/cancel" if is_legacy && dispatcher.has_tasks() => {
                        format!("`{method}` needs the protocol version {}", ProtocolVersion::LATEST)
                    }
                    _ => format!("unknown method {}: this server supports tools only", quote_name(method)),
                };
                // Older clients read an error only if the HTTP status is 200, so use the kind that is sent with that
                // status.
                let kind = if is_legacy { ErrorKind::Method } else { ErrorKind::UnknownMethod };
                return Err(ProtocolError::new(kind, -32601, text));
            }
        };
        Ok(Begun::Ended(response(id, &result)))
    }

    /// Completes a request that [`begin`](Self::begin) has prepared, waiting for its call if it has one, and returns
    /// the response.
    pub(crate) async fn finish(&self, id: &str, begun: &mut Begun<'_>) -> Result<Vec<u8>, ProtocolError> {
        match begun {
            Begun::Ended(response) => Ok(std::mem::take(response)),
            Begun::Call(prepared) => {
                let ended = self.dispatcher.run(prepared).await;
                match ended {
                    Ok(ref response) => Ok(self.response(id, response, prepared.version())),
                    Err(error) => Err(error.into()),
                }
            }
            Begun::Task(response) => response.await,
        }
    }

    /// Writes the response to `tools/list`, with the tools that are listed for the caller.
    fn list(&self, id: &str, version: ProtocolVersion, transport: &TransportContext) -> Vec<u8> {
        let dispatcher = &self.dispatcher;
        let list = dispatcher.caller_list(version, &transport.extensions, transport.challenges_scopes);
        // Also reserve room for the `_meta` that newer versions add, and for a closing brace.
        let mut bytes = response_start(id, list.max_length() + 256);
        list.write(&mut bytes);
        if !version.is_legacy() {
            bytes = with_meta(bytes, dispatcher.server_info());
        }
        bytes.push(b'}');
        bytes
    }

    /// Writes the JSON-RPC response to a call, in the form of `version`.
    #[inline]
    pub(super) fn response(&self, id: &str, ended: &CallToolResponse, version: ProtocolVersion) -> Vec<u8> {
        let more_meta = if version.is_legacy() { "" } else { self.dispatcher.server_info() };
        let mut bytes = response_start(id, crate::mcp::result::length(ended) + more_meta.len());
        crate::mcp::result::write(&mut bytes, ended, version, more_meta);
        bytes.push(b'}');
        bytes
    }

    /// Runs a call that may become a task, and writes the response.
    #[cold]
    async fn run_as_task(&self, id: &str, call: PreparedCall<'_, '_>) -> Result<Vec<u8>, ProtocolError> {
        let version = call.version();
        match self.dispatcher().run_as_task(call).await? {
            TaskAnswer::Ended(ended) => Ok(self.response(id, &ended, version)),
            TaskAnswer::Task(snapshot) => Ok(match snapshot.result() {
                Some(result) => response(id, result.get().as_bytes()),
                None => response(id, &snapshot.created(self.dispatcher().server_info())),
            }),
        }
    }

    /// Answers `tasks/get`, `tasks/update` and `tasks/cancel`.
    #[cold]
    async fn answer_about_task(
        &self,
        request: Request<'_>,
        params: RequestParams<'_>,
        extensions: Extensions,
    ) -> Result<Vec<u8>, ProtocolError> {
        if !params.meta.as_ref().and_then(|meta| meta.client_capabilities).is_some_and(is_declared) {
            return Err(missing_extension(false));
        }
        let Some(task_id) = params.task_id.and_then(string) else {
            return Err(ProtocolError::new(ErrorKind::Method, -32602, "`taskId` must be a string"));
        };
        let dispatcher = self.dispatcher();
        let method = &*request.method;
        let known = match method {
            "tasks/cancel" => dispatcher.cancel_task(&task_id, &extensions).await.map(|()| None),
            // `tasks/update` only checks that the task exists. No task has open questions, so there is nothing to
            // update.
            _ => dispatcher.find_task(&task_id, &extensions).await.map(Some),
        };
        let snapshot = known?.filter(|_| method == "tasks/get");
        let result = match snapshot {
            Some(snapshot) => snapshot.detailed(dispatcher.server_info()),
            None => with_meta(br#"{"resultType":"complete"}"#.to_vec(), dispatcher.server_info()),
        };
        Ok(response(request.id, &result))
    }
}

/// A request that has been read and prepared: its complete response, or the part that must be awaited.
#[allow(
    clippy::large_enum_variant,
    reason = "almost every request is a call, and a box would be an allocation for each"
)]
pub(crate) enum Begun<'m> {
    /// The complete response.
    Ended(Vec<u8>),
    Call(PreparedCall<'m, 'm>),
    /// A request about a task, or a call that may become a task. Boxed, so that the futures of other calls do not grow.
    Task(BoxFuture<'m, Result<Vec<u8>, ProtocolError>>),
}

impl From<DispatchError> for ProtocolError {
    fn from(error: DispatchError) -> Self {
        let kind = if error == DispatchError::MissingCapability { ErrorKind::Malformed } else { ErrorKind::Method };
        Self::new(kind, error.code(), error.to_string()).with_data(error.data())
    }
}

impl From<Dispatcher> for Protocol {
    fn from(dispatcher: Dispatcher) -> Self {
        Self::new(dispatcher)
    }
}

/// Writes a JSON-RPC response with this result.
pub(super) fn response(id: &str, result: &[u8]) -> Vec<u8> {
    let mut bytes = response_start(id, result.len() + 1);
    bytes.extend_from_slice(result);
    bytes.push(b'}');
    bytes
}

/// Writes the start of a JSON-RPC response, up to its result. `room` is the number of bytes to reserve for the rest.
fn response_start(id: &str, room: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(40 + id.len() + room);
    bytes.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    bytes.extend_from_slice(id.as_bytes());
    bytes.extend_from_slice(br#","result":"#);
    bytes
}

impl From<TaskError> for ProtocolError {
    fn from(error: TaskError) -> Self {
        if let TaskError::Dispatch(error) = error {
            return error.into();
        }
        let (code, message, data) = error_parts(error);
        Self::new(ErrorKind::Method, code, message).with_data(data)
    }
}

/// Returns the code, the message and the data of the JSON-RPC error for `error`.
pub(super) fn error_parts(error: TaskError) -> (i32, String, Option<Value>) {
    match error {
        TaskError::Dispatch(error) => (error.code(), error.to_string(), error.data()),
        TaskError::Failed(error) => {
            let mut error: Value = serde_json::from_str(error.get()).unwrap_or_default();
            let code = error["code"].as_i64().and_then(|code| code.try_into().ok()).unwrap_or(-32603);
            let message = error["message"].as_str().unwrap_or("the task failed").to_owned();
            (code, message, error.get_mut("data").map(Value::take))
        }
        // Give the same answer for a task that has never existed, has expired, or belongs to somebody else.
        TaskError::Unknown => (-32602, "there is no such task".to_owned(), None),
        TaskError::Unavailable => {
            (-32603, "the tasks cannot be reached at the moment; try again later".to_owned(), None)
        }
    }
}
