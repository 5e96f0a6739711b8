//! The Model Context Protocol without a transport: one JSON-RPC message in, one out (feature `http`).
//!
//! [`http`](super::http) and [`stdio`](super::stdio) use it. Use [`Protocol`] for a transport of your own: a web socket, a
//! queue, or a serverless function.

mod error;
mod message;
mod static_results;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

pub(crate) use error::{ErrorKind, ProtocolError};
pub(crate) use message::{Message, Request};
pub(crate) use static_results::ServerInfo;
use static_results::StaticResults;

use crate::call::params::string;
use crate::call::{CAPABILITIES_KEY, ProgressSink, RequestMeta, RequestParams, VERSION_KEY};
use crate::dispatcher::{FinishedCall, PreparedCall, TransportContext};
use crate::{DispatchError, Dispatcher, Extensions, Progress, ProtocolVersion};

/// Answers the messages of the Model Context Protocol: `initialize`, `server/discover`, `ping`, `tools/list` and
/// `tools/call`.
///
/// It supports tools only. For resources, prompts and sampling, add the tools to a `ServerHandler` of the official SDK, with
/// `Dispatcher::rmcp_routes` (feature `rmcp`).
///
/// It is stateless: it does not remember an `initialize`. A request that does not name its version in `_meta`, as
/// 2026-07-28 requires, is answered in the form of 2025-06-18. It sends no progress, since it returns one message; use
/// [`http`](super::http) or [`stdio`](super::stdio) for progress.
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
/// let protocol = Protocol::new(Dispatcher::builder().tools(tools![add]).build()?).with_info("calculator", "1.0.0");
/// let call = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}}"#;
/// let answer: serde_json::Value = serde_json::from_slice(&protocol.answer(call).await.unwrap())?;
/// assert_eq!(answer["result"]["structuredContent"], json!({"result": 5}));
///
/// let notification = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
/// assert!(protocol.answer(notification).await.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Protocol {
    core: Arc<Core>,
}

struct Core {
    dispatcher: Dispatcher,
    info: ServerInfo,
    static_results: StaticResults,
}

impl Protocol {
    /// Creates a protocol for the tools of a dispatcher.
    #[must_use]
    pub fn new(dispatcher: Dispatcher) -> Self {
        Self::with(dispatcher, ServerInfo::default())
    }

    /// Sets the name and version of the server.
    #[must_use]
    pub fn with_info(self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.map_info(|info| (info.name, info.version) = (name.into(), version.into()))
    }

    /// Sets the name of the server for display.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        self.map_info(|info| info.title = Some(title.into()))
    }

    /// Sets instructions for the model about the use of the tools.
    #[must_use]
    pub fn with_instructions(self, instructions: impl Into<String>) -> Self {
        self.map_info(|info| info.instructions = Some(instructions.into()))
    }

    /// Returns the dispatcher.
    #[must_use]
    pub fn dispatcher(&self) -> &Dispatcher {
        &self.core.dispatcher
    }

    /// Answers one message. Returns `None` for a message that needs no answer, such as a notification.
    ///
    /// An invalid message is answered with a JSON-RPC error. The answer may contain line breaks, if a tool's own JSON has
    /// some between its tokens. Dropping the future cancels the call.
    pub async fn answer(&self, message: &[u8]) -> Option<Vec<u8>> {
        self.answer_with(message, Extensions::new()).await
    }

    /// Answers one message like [`answer`](Self::answer), with extensions: an authenticated user, for example, that a tool
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
        let mut request = match Message::read(message, self.core.dispatcher.settings()) {
            Ok(Message::Request(request)) => request,
            Ok(Message::Notification { .. } | Message::Response { .. }) => return None,
            Err(error) => return Some(error.to_bytes()),
        };
        let response = async {
            let params = request.take_params()?;
            let version = requested_version(params.meta.as_ref(), request.id)?.unwrap_or(ProtocolVersion::V2025_06_18);
            self.handle(&request, params, version, TransportContext { extensions, ..TransportContext::default() }).await
        };
        Some(response.await.unwrap_or_else(|error| error.to_bytes()))
    }

    fn with(dispatcher: Dispatcher, info: ServerInfo) -> Self {
        let static_results = StaticResults::new(&dispatcher, &info);
        Self { core: Arc::new(Core { dispatcher, info, static_results }) }
    }

    fn map_info(self, change: impl FnOnce(&mut ServerInfo)) -> Self {
        let mut info = self.core.info.clone();
        change(&mut info);
        Self::with(self.core.dispatcher.clone(), info)
    }

    /// Handles a request whose version is known, and returns the response.
    pub(crate) async fn handle<'m>(
        &self,
        request: &Request<'m>,
        params: RequestParams<'m>,
        version: ProtocolVersion,
        transport: TransportContext,
    ) -> Result<Vec<u8>, ProtocolError<'m>> {
        let static_results = &self.core.static_results;
        let result: Cow<'_, [u8]> = match (&*request.method, version.is_legacy()) {
            ("tools/call", _) => {
                let mut prepared = self.prepare(request.id, params, version, transport)?;
                return self.respond(request.id, version, self.core.dispatcher.run(&mut prepared).await);
            }
            ("tools/list", _) if params.cursor.is_some() => {
                let error = ProtocolError::new(ErrorKind::Method, -32602, "unknown cursor: the list has only one page");
                return Err(error.for_request(Some(request.id)));
            }
            ("tools/list", _) => return Ok(self.list(request.id, version, &transport)),
            ("server/discover", false) => (&*static_results.discover).into(),
            ("initialize", true) => {
                let requested = params.protocol_version.and_then(string).ok_or_else(|| {
                    ProtocolError::invalid_params("`protocolVersion` must be a string").for_request(Some(request.id))
                })?;
                static_results.initialize(negotiate(&requested)).into()
            }
            ("ping", true) => b"{}"[..].into(),
            (method, _) => {
                let text = format!(
                    "unknown method {}: this server supports tools only",
                    crate::json::safe_text::quote_name(method)
                );
                return Err(ProtocolError::new(ErrorKind::UnknownMethod, -32601, text).for_request(Some(request.id)));
            }
        };
        let mut bytes = response_start(request.id, result.len() + 1);
        bytes.extend_from_slice(&result);
        bytes.push(b'}');
        Ok(bytes)
    }

    /// Writes the response to `tools/list`, with the tools that the caller sees.
    fn list(&self, id: &str, version: ProtocolVersion, transport: &TransportContext) -> Vec<u8> {
        let dispatcher = &self.core.dispatcher;
        let list = dispatcher.caller_list(version, &transport.extensions, transport.challenges_scopes);
        // What follows the list is short.
        let mut bytes = response_start(id, list.length() + 256);
        list.write(&mut bytes);
        if !version.is_legacy() {
            bytes.pop();
            bytes.extend_from_slice(self.core.static_results.list_meta.as_bytes());
        }
        bytes.push(b'}');
        bytes
    }

    #[inline]
    fn prepare<'d, 'm>(
        &'d self,
        id: &'m str,
        params: RequestParams<'m>,
        version: ProtocolVersion,
        transport: TransportContext,
    ) -> Result<PreparedCall<'d, 'm>, ProtocolError<'m>> {
        #[cfg(feature = "tracing")]
        let transport = with_request_id(id, transport);
        self.core.dispatcher.prepare(params, version, transport).map_err(|error| method_error(&error, id))
    }

    /// Writes the response to a call.
    #[inline]
    fn respond<'m>(
        &self,
        id: &'m str,
        version: ProtocolVersion,
        outcome: Result<FinishedCall<'_>, DispatchError>,
    ) -> Result<Vec<u8>, ProtocolError<'m>> {
        outcome.map(|answered| self.response(id, &answered, version)).map_err(|error| method_error(&error, id))
    }

    #[inline]
    fn response(&self, id: &str, answered: &FinishedCall<'_>, version: ProtocolVersion) -> Vec<u8> {
        let FinishedCall { outcome, format } = answered;
        let more_meta = if version.is_legacy() { "" } else { &self.core.static_results.server_info };
        let mut bytes = response_start(id, crate::mcp::result::length(outcome) + more_meta.len());
        crate::mcp::result::write(&mut bytes, outcome, format, version, more_meta);
        bytes.push(b'}');
        bytes
    }
}

fn method_error<'m>(error: &DispatchError, id: &'m str) -> ProtocolError<'m> {
    let kind = if *error == DispatchError::MissingCapability { ErrorKind::Malformed } else { ErrorKind::Method };
    let response = ProtocolError::new(kind, error.code(), error.to_string()).for_request(Some(id));
    match error.data() {
        Some(data) => response.with_data(data),
        None => response,
    }
}

impl fmt::Debug for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Core { dispatcher, info, .. } = &*self.core;
        f.debug_struct("Protocol").field("dispatcher", dispatcher).field("info", info).finish_non_exhaustive()
    }
}

impl From<Dispatcher> for Protocol {
    fn from(dispatcher: Dispatcher) -> Self {
        Self::new(dispatcher)
    }
}

/// Writes the start of a response, up to its result.
fn response_start(id: &str, room: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(40 + id.len() + room);
    bytes.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    bytes.extend_from_slice(id.as_bytes());
    bytes.extend_from_slice(br#","result":"#);
    bytes
}

/// Attaches the request's id, which the span of the call records.
#[cfg(feature = "tracing")]
fn with_request_id(id: &str, mut transport: TransportContext) -> TransportContext {
    if tracing::span_enabled!(target: "mcp_tool_runtime", tracing::Level::INFO) {
        transport.extensions.insert(crate::dispatcher::RequestId(id.trim_matches('"').to_owned()));
    }
    transport
}

/// Negotiates the version of `initialize`: the client's version if it is supported, else the newest version that has
/// `initialize`.
pub(crate) fn negotiate(requested: &str) -> &str {
    let is_supported = requested.parse().is_ok_and(ProtocolVersion::is_legacy);
    if is_supported { requested } else { ProtocolVersion::V2025_11_25.as_str() }
}

/// Returns the version that a request names in its `_meta`. For a request of 2026-07-28, also checks that `_meta` has the
/// client's capabilities.
pub(crate) fn requested_version<'m>(
    meta: Option<&RequestMeta<'_>>,
    id: &'m str,
) -> Result<Option<ProtocolVersion>, ProtocolError<'m>> {
    let Some(meta) = meta else { return Ok(None) };
    let Some(version) = meta.protocol_version else { return Ok(None) };
    let Some(version) = string(version) else {
        return Err(ProtocolError::invalid_params(format!("`{VERSION_KEY}` must be a string")).for_request(Some(id)));
    };
    let version = version.parse().map_err(|_| unsupported_version(&version).for_request(Some(id)))?;
    if version >= ProtocolVersion::V2026_07_28 && !meta.client_capabilities.is_some_and(|json| json.starts_with('{')) {
        return Err(missing_meta(CAPABILITIES_KEY).for_request(Some(id)));
    }
    Ok(Some(version))
}

/// The error of a request of 2026-07-28 that lacks a required property of `_meta`.
pub(crate) fn missing_meta(key: &str) -> ProtocolError<'static> {
    ProtocolError::invalid_params(format!("the request's `_meta` must have `{key}`"))
}

/// The error of a request that names no version.
pub(crate) fn missing_version() -> ProtocolError<'static> {
    missing_meta(VERSION_KEY)
}

/// The error of a request that names no version before `initialize` has negotiated one.
pub(crate) fn not_initialized() -> ProtocolError<'static> {
    ProtocolError::invalid_params(format!(
        "the request's `_meta` must have `{VERSION_KEY}`, or `initialize` must be sent first"
    ))
}

/// The error of a request with a version that is not supported.
pub(crate) fn unsupported_version(version: &str) -> ProtocolError<'static> {
    let requested = crate::json::safe_text::truncate_name(version);
    ProtocolError::new(ErrorKind::Malformed, -32022, "unsupported protocol version")
        .with_data(json!({ "supported": static_results::versions(), "requested": requested }))
}

/// The maximum length of a progress token as JSON text. Every report repeats the token, so a long one would be multiplied.
const MAX_TOKEN_BYTES: usize = 1_024;

/// Returns the progress token of a request. A token that is not valid or too long is ignored: the call runs without reports.
pub(crate) fn progress_token(params: &RequestParams<'_>) -> Option<Value> {
    let token = params.meta.as_ref()?.progress_token.filter(|token| token.len() <= MAX_TOKEN_BYTES)?;
    let token: Value = serde_json::from_str(token).ok()?;
    (token.is_string() || token.is_i64() || token.is_u64()).then_some(token)
}

/// Creates a sink that turns each report into a message.
pub(crate) fn progress_sink(token: Value, send: impl Fn(Vec<u8>) + Send + Sync + 'static) -> ProgressSink {
    Arc::new(move |progress| send(report(&token, progress)))
}

fn report(token: &Value, progress: Progress) -> Vec<u8> {
    let mut params = Map::new();
    params.insert("progressToken".to_owned(), token.clone());
    params.insert("progress".to_owned(), progress.done.into());
    params.extend(progress.total.map(|total| ("total".to_owned(), total.into())));
    params.extend(progress.message.map(|message| ("message".to_owned(), message.into())));
    json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params }).to_string().into_bytes()
}

/// Replaces line breaks by blanks, so that a message is one line. JSON has line breaks only between tokens.
pub(crate) fn replace_line_breaks(bytes: &mut [u8]) {
    let mut from = 0;
    while let Some(at) = memchr::memchr2(b'\n', b'\r', &bytes[from..]) {
        from += at;
        bytes[from] = b' ';
    }
}
