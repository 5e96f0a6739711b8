//! The tools part of the Model Context Protocol from message to message, without a transport (feature `http`).
//!
//! [`http`](super::http) and [`stdio`](super::stdio) carry it; [`Protocol`] is for a transport of your own: a web
//! socket, a queue, a function that a cloud calls.

mod message;
mod pages;
mod refusal;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use message::Call;
pub(crate) use message::{Message, Params, Request, string};
pub(crate) use pages::Info;
pub(crate) use refusal::{Kind, Refusal};

use crate::call::{self, ProgressSink, RawCallParams};
use crate::dispatcher::{FinishedCall, PreparedCall, TransportContext};
use crate::{DispatchError, Dispatcher, Extensions, Progress, ProtocolVersion};

/// Where a request names its version.
pub(crate) const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// Answers messages of the protocol: `initialize`, `server/discover`, `ping`, `tools/list`, `tools/call`.
///
/// It knows tools and nothing else: no resources, no prompts, no sampling. For those, serve the dispatcher with
/// `rmcp::Server` (feature `rmcp`).
///
/// Each message is answered by itself. One that names no version (in its `_meta`, as 2026-07-28 demands) is read as
/// 2025-06-18 has it; nothing is remembered of an `initialize`. Progress is for transports that can send more than one
/// message: [`http`](super::http) and [`stdio`](super::stdio).
///
/// ```
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
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
/// # let waker = std::task::Waker::noop();
/// # let mut run = std::pin::pin!(run());
/// # assert!(matches!(run.as_mut().poll(&mut std::task::Context::from_waker(waker)), std::task::Poll::Ready(Ok(()))));
/// ```
#[derive(Clone)]
pub struct Protocol {
    core: Arc<Core>,
}

struct Core {
    dispatcher: Dispatcher,
    info: Info,
    pages: pages::Pages,
}

impl Protocol {
    /// Answers with the tools of a dispatcher.
    #[must_use]
    pub fn new(dispatcher: Dispatcher) -> Self {
        Self::with(dispatcher, Info::default())
    }

    /// Says what the server is called, and its version.
    #[must_use]
    pub fn with_info(self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.informed(|info| (info.name, info.version) = (name.into(), version.into()))
    }

    /// Says what people call the server.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        self.informed(|info| info.title = Some(title.into()))
    }

    /// Says how the tools are best used, for a model to read.
    #[must_use]
    pub fn with_instructions(self, instructions: impl Into<String>) -> Self {
        self.informed(|info| info.instructions = Some(instructions.into()))
    }

    /// The tools that it answers with.
    #[must_use]
    pub fn dispatcher(&self) -> &Dispatcher {
        &self.core.dispatcher
    }

    /// Answers one message; what needs no answer gets none.
    ///
    /// Whatever is wrong with the message is an answer as well. The answer may hold line breaks between its members
    /// where a tool's own JSON has some. Dropping the future cancels the call.
    pub async fn answer(&self, message: &[u8]) -> Option<Vec<u8>> {
        self.answer_with(message, Extensions::new()).await
    }

    /// As [`answer`](Self::answer), with what the transport knows of the request: an authenticated user, say, for a tool
    /// to take as `#[mcp_tool(extension)] user: &User`.
    ///
    /// ```
    /// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::protocol::Protocol;
    /// use mcp_tool_runtime::{mcp_tool, tools, Dispatcher, Extensions};
    ///
    /// struct User(&'static str);
    ///
    /// /// Say who is asking.
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
    /// # let waker = std::task::Waker::noop();
    /// # let mut run = std::pin::pin!(run());
    /// # assert!(matches!(run.as_mut().poll(&mut std::task::Context::from_waker(waker)), std::task::Poll::Ready(Ok(()))));
    /// ```
    pub async fn answer_with(&self, message: &[u8], extensions: Extensions) -> Option<Vec<u8>> {
        let at_once = self.core.dispatcher.parses_in_one_pass(message.len());
        if let Some(Call { id, params }) = if at_once { Call::read(message) } else { None } {
            let (mut ready, version) = match self.ready(id, params, TransportContext { extensions, progress: None }) {
                Ok(ready) => ready,
                Err(refusal) => return Some(refusal.to_bytes()),
            };
            let answered = self.answered(id, version, self.core.dispatcher.run(&mut ready).await);
            return Some(answered.unwrap_or_else(|refusal| refusal.to_bytes()));
        }
        let request = match Message::read(message) {
            Ok(Message::Request(request)) => request,
            Ok(Message::Notification { .. } | Message::Response) => return None,
            Err(refusal) => return Some(refusal.to_bytes()),
        };
        let answered = async {
            let params = request.params()?;
            let version = named_version(params.meta.as_deref(), request.id)?.unwrap_or(ProtocolVersion::V2025_06_18);
            self.perform(&request, params, version, TransportContext { extensions, progress: None }).await
        };
        // In a box, so that the future of a usual call is not made larger by what is seldom.
        Some(Box::pin(answered).await.unwrap_or_else(|refusal| refusal.to_bytes()))
    }

    fn with(dispatcher: Dispatcher, info: Info) -> Self {
        let pages = pages::Pages::new(&dispatcher, &info);
        Self { core: Arc::new(Core { dispatcher, info, pages }) }
    }

    fn informed(self, say: impl FnOnce(&mut Info)) -> Self {
        let mut info = self.core.info.clone();
        say(&mut info);
        Self::with(self.core.dispatcher.clone(), info)
    }

    /// The response to a request of which the version is known.
    pub(crate) async fn perform<'m>(
        &self,
        request: &Request<'m>,
        params: Params<'m>,
        version: ProtocolVersion,
        transport: TransportContext,
    ) -> Result<Vec<u8>, Refusal<'m>> {
        let pages = &self.core.pages;
        let result: Cow<'_, [u8]> = match (&*request.method, version.is_legacy()) {
            ("tools/call", _) => {
                let mut ready = self.prepare_raw(request.id, params, version, transport)?;
                return self.answered(request.id, version, self.core.dispatcher.run(&mut ready).await);
            }
            ("tools/list", _) if params.cursor.is_some() => {
                let refusal = Refusal::new(Kind::Answered, -32602, "unknown cursor: the list has one page");
                return Err(refusal.of(Some(request.id)));
            }
            ("tools/list", _) => (&*pages.lists[version.index()]).into(),
            ("server/discover", false) => (&*pages.discover).into(),
            ("initialize", true) => {
                let asked = params
                    .protocol_version
                    .and_then(string)
                    .ok_or_else(|| Refusal::params("`protocolVersion` must be a string").of(Some(request.id)))?;
                pages.initialize(agreed(&asked)).into()
            }
            ("ping", true) => b"{}"[..].into(),
            (method, _) => {
                let text = format!(
                    "no method {}: this server has tools and nothing else",
                    crate::document::name::quote_name(method)
                );
                return Err(Refusal::new(Kind::UnknownMethod, -32601, text).of(Some(request.id)));
            }
        };
        let mut bytes = opening(request.id, result.len() + 1);
        bytes.extend_from_slice(&result);
        bytes.push(b'}');
        Ok(bytes)
    }

    /// Makes ready a call that was read in one go.
    #[inline]
    fn ready<'d, 'm, 'p>(
        &'d self,
        id: &'m str,
        params: call::CallParams<'p>,
        transport: TransportContext,
    ) -> Result<(PreparedCall<'d, 'p>, ProtocolVersion), Refusal<'m>> {
        let version = named_version(params.meta.as_deref(), id)?.unwrap_or(ProtocolVersion::V2025_06_18);
        #[cfg(feature = "tracing")]
        let transport = noted(id, transport);
        let ready =
            self.core.dispatcher.prepare_parsed(params, version, transport).map_err(|error| refused(&error, id))?;
        Ok((ready, version))
    }

    /// Makes ready a call of which the version is known.
    fn prepare_raw<'d, 'm>(
        &'d self,
        id: &'m str,
        params: Params<'m>,
        version: ProtocolVersion,
        transport: TransportContext,
    ) -> Result<PreparedCall<'d, 'm>, Refusal<'m>> {
        let Some(name) = params.name.and_then(string) else {
            let message = if params.name.is_some() { "`name` must be a string" } else { "`name` is missing" };
            return Err(refused(&DispatchError::InvalidRequest { message: message.to_owned() }, id));
        };
        #[cfg(feature = "tracing")]
        let transport = noted(id, transport);
        let raw = RawCallParams { name, arguments: params.arguments, meta: params.meta };
        self.core.dispatcher.prepare_raw(raw, version, transport).map_err(|error| refused(&error, id))
    }

    /// The response to a call.
    #[inline]
    fn answered<'m>(
        &self,
        id: &'m str,
        version: ProtocolVersion,
        outcome: Result<FinishedCall<'_>, DispatchError>,
    ) -> Result<Vec<u8>, Refusal<'m>> {
        outcome.map(|answered| self.response(id, &answered, version)).map_err(|error| refused(&error, id))
    }

    #[inline]
    fn response(&self, id: &str, answered: &FinishedCall<'_>, version: ProtocolVersion) -> Vec<u8> {
        let FinishedCall { outcome, format } = answered;
        let more_meta = if version.is_legacy() { "" } else { &self.core.pages.server_info };
        let mut bytes = opening(id, crate::mcp::result::length(outcome) + more_meta.len());
        crate::mcp::result::write(&mut bytes, outcome, format, version, more_meta);
        bytes.push(b'}');
        bytes
    }
}

fn refused<'m>(error: &DispatchError, id: &'m str) -> Refusal<'m> {
    Refusal::new(Kind::Answered, error.code(), error.to_string()).of(Some(id))
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

/// A response up to its result.
fn opening(id: &str, room: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(40 + id.len() + room);
    bytes.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    bytes.extend_from_slice(id.as_bytes());
    bytes.extend_from_slice(br#","result":"#);
    bytes
}

/// The request's id, for the span of the call; a string without its quotes.
#[cfg(feature = "tracing")]
fn noted(id: &str, mut transport: TransportContext) -> TransportContext {
    if tracing::span_enabled!(target: "mcp_tool_runtime", tracing::Level::INFO) {
        transport.extensions.insert(crate::dispatcher::RequestId(id.trim_matches('"').to_owned()));
    }
    transport
}

/// What `initialize` agrees on: the client's version if it is one that begins so, else the newest such version.
pub(crate) fn agreed(asked: &str) -> &str {
    let known = asked.parse().is_ok_and(ProtocolVersion::is_legacy);
    if known { asked } else { ProtocolVersion::V2025_11_25.as_str() }
}

/// The version that a request names in its `_meta`; of a request of 2026-07-28 the rest of what it must have is
/// checked.
pub(crate) fn named_version<'m>(
    meta: Option<&Map<String, Value>>,
    id: &'m str,
) -> Result<Option<ProtocolVersion>, Refusal<'m>> {
    let Some(meta) = meta else { return Ok(None) };
    let version = match meta.get(VERSION_KEY) {
        None => return Ok(None),
        Some(Value::String(version)) => version.parse().map_err(|_| unsupported(version).of(Some(id)))?,
        Some(_) => return Err(Refusal::params(format!("`{VERSION_KEY}` must be a string")).of(Some(id))),
    };
    if version >= ProtocolVersion::V2026_07_28 && !meta.get(CAPABILITIES_KEY).is_some_and(Value::is_object) {
        return Err(incomplete(CAPABILITIES_KEY).of(Some(id)));
    }
    Ok(Some(version))
}

/// Refuses a request of 2026-07-28 that does not say what each must say of itself.
pub(crate) fn incomplete(key: &str) -> Refusal<'static> {
    Refusal::params(format!("the request's `_meta` must have `{key}`"))
}

/// Refuses a request that names no version where one is needed.
pub(crate) fn unversioned() -> Refusal<'static> {
    incomplete(VERSION_KEY)
}

/// The same where `initialize` would have agreed on one.
pub(crate) fn uninitialized() -> Refusal<'static> {
    Refusal::params(format!("the request's `_meta` must have `{VERSION_KEY}`, or `initialize` must come before it"))
}

/// Refuses a version that is not spoken here.
pub(crate) fn unsupported(version: &str) -> Refusal<'static> {
    Refusal::new(Kind::Malformed, -32022, "unsupported protocol version")
        .with_data(json!({ "supported": pages::versions(), "requested": version }))
}

/// What a client wants its progress reports marked with, if it wants any.
pub(crate) fn progress_token(params: &Params<'_>) -> Option<Value> {
    let token = params.meta.as_ref()?.get("progressToken")?;
    (token.is_string() || token.is_i64() || token.is_u64()).then(|| token.clone())
}

/// A sink that makes each report a message.
pub(crate) fn reporter(token: Value, send: impl Fn(Vec<u8>) + Send + Sync + 'static) -> ProgressSink {
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

/// Makes a message one line: a tool's own JSON may have line breaks between its members, and nowhere else.
pub(crate) fn in_one_line(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')) {
        *byte = b' ';
    }
}
