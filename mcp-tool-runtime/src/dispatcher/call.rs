//! One call, from its request to its response.

use std::borrow::Cow;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde_json::Value;
use serde_json::value::RawValue;

use super::entry::Entry;
#[cfg(feature = "tokio")]
use super::limit;
#[cfg(feature = "tracing")]
use super::span::CallSpan;
use super::{DispatchError, Dispatcher};
use crate::arguments::violations;
use crate::call::guard::{self, Guard};
use crate::call::settings::Settings;
use crate::call::start::Start;
use crate::call::{Live, Meta, Params, RawParams, Reply, Sender, Sink};
use crate::document::reader;
use crate::document::suggestion::suggest;
use crate::document::tape::Tape;
use crate::document::violation::Violation;
use crate::document::writer::ByteCounter;
use crate::{
    Arguments, CallContext, CallId, CallToolRequest, CallToolResponse, Extensions, Next, Output, ProtocolVersion,
    ToolError, mcp,
};

impl Dispatcher {
    /// Answers one call. Everything that goes wrong in the tool is a response as well.
    ///
    /// Dropping the future cancels the call.
    ///
    /// # Errors
    ///
    /// [`DispatchError`] when the request itself is at fault, see there.
    pub async fn call(&self, request: CallToolRequest) -> Result<CallToolResponse, DispatchError> {
        let last = self.entry(&request.name)?;
        let cx = self.context(
            &last,
            Request {
                call_id: request.call_id.clone(),
                meta: request.meta.clone().map(Meta::from),
                extensions: request.extensions.clone(),
                protocol_version: request.protocol_version,
                progress: request.progress.clone(),
            },
        );
        let mut ready = if self.inner.layers.is_empty() {
            Ready { last, cx, request: None, document: Some(last.document(request.arguments.as_ref())) }
        } else {
            Ready { last, cx, request: Some(Box::new(request)), document: None }
        };
        let Answered { reply, sender } = self.answer(&mut ready).await?;
        Ok(CallToolResponse::new(reply, Arc::clone(sender)))
    }

    /// Answers one call from the bytes of a `tools/call` request's `params` with the bytes of its `result`.
    ///
    /// The arguments are read from those bytes; a document that is too long, nested too deep, or has a key twice is an
    /// error result.
    ///
    /// ```
    /// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{mcp_tool, tools, CallId, Dispatcher, ProtocolVersion};
    /// use std::time::Duration;
    ///
    /// /// Add two numbers.
    /// #[mcp_tool]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let dispatcher = Dispatcher::builder()
    ///     .tools(tools![add])
    ///     .clock(|| Duration::ZERO)
    ///     .call_ids(|| CallId::from("1"))
    ///     .build()?;
    /// let params = br#"{"name": "add", "arguments": {"a": 2, "b": 3}}"#;
    /// let result = dispatcher.call_json(params, ProtocolVersion::V2025_11_25).await?;
    /// assert_eq!(
    ///     String::from_utf8(result)?,
    ///     concat!(
    ///         r#"{"content":[{"type":"text","text":"5"}],"structuredContent":{"result":5},"isError":false,"#,
    ///         r#""_meta":{"rs.mcp-tool/call_id":"1","rs.mcp-tool/duration":0.0}}"#,
    ///     ),
    /// );
    /// # Ok(())
    /// # }
    /// # let waker = std::task::Waker::noop();
    /// # let mut run = std::pin::pin!(run());
    /// # assert!(matches!(run.as_mut().poll(&mut std::task::Context::from_waker(waker)), std::task::Poll::Ready(Ok(()))));
    /// ```
    ///
    /// # Errors
    ///
    /// [`DispatchError`] when the request itself is at fault, see there.
    pub async fn call_json(&self, params: &[u8], version: ProtocolVersion) -> Result<Vec<u8>, DispatchError> {
        let mut ready = self.ready(self.asked(params)?, version, Carried::default());
        let Answered { reply, sender } = self.answer(&mut ready).await?;
        let mut bytes = Vec::new();
        mcp::result::write(&mut bytes, &reply, sender, version, "");
        Ok(bytes)
    }

    /// Makes ready a call whose arguments are still as they were sent.
    #[cfg(feature = "http")]
    pub(crate) fn ready_raw<'p>(
        &self,
        params: RawParams<'p>,
        version: ProtocolVersion,
        carried: Carried,
    ) -> Result<Ready<'_, 'p>, DispatchError> {
        Ok(self.ready(self.asked_raw(params)?, version, carried))
    }

    /// Makes ready a call whose arguments were read on the way.
    #[cfg(feature = "http")]
    #[inline]
    pub(crate) fn ready_read<'p>(
        &self,
        params: Params<'p>,
        version: ProtocolVersion,
        carried: Carried,
    ) -> Result<Ready<'_, 'p>, DispatchError> {
        Ok(self.ready(self.asked_read(params)?, version, carried))
    }

    /// Whether a text of so many bytes is short enough for its arguments to be read on the way.
    pub(crate) fn reads_at_once(&self, bytes: usize) -> bool {
        bytes <= self.settings().max_argument_bytes
    }

    #[inline]
    fn ready<'d, 'p>(&'d self, asked: Asked<'d, 'p>, version: ProtocolVersion, carried: Carried) -> Ready<'d, 'p> {
        let Asked { last, name, arguments, meta } = asked;
        let Carried { extensions, progress } = carried;
        let request = (!self.inner.layers.is_empty()).then(|| {
            let mut request = Box::new(CallToolRequest::new(name, Value::Null).with_protocol_version(version));
            request.arguments = match &arguments {
                Some(Ok(document)) => Some(document.root().to_value()),
                Some(Err(_)) | None => None,
            };
            request.meta = meta.as_deref().cloned();
            request.extensions = extensions.clone();
            request
        });
        let cx = self.context(&last, Request { call_id: None, meta, extensions, protocol_version: version, progress });
        Ready { last, cx, request, document: arguments }
    }

    /// Reads the bytes of a request: in one go where nothing is wrong with them, else one after the other, so that what
    /// is wrong is said of the right thing.
    fn asked<'p>(&self, params: &'p [u8]) -> Result<Asked<'_, 'p>, DispatchError> {
        let text = if self.reads_at_once(params.len()) { std::str::from_utf8(params).ok() } else { None };
        if let Some(params) = text.and_then(Params::read) {
            return self.asked_read(params);
        }
        let params = RawParams::read(params)
            .map_err(|error| DispatchError::InvalidRequest { message: crate::call::request_fault(&error) })?;
        self.asked_raw(params)
    }

    #[inline]
    fn asked_read<'p>(&self, params: Params<'p>) -> Result<Asked<'_, 'p>, DispatchError> {
        let Params { name, arguments, meta } = params;
        let arguments = arguments.filter(|document| !document.root().is_null()).map(Ok);
        Ok(Asked { last: self.entry(&name)?, name, arguments, meta })
    }

    fn asked_raw<'p>(&self, params: RawParams<'p>) -> Result<Asked<'_, 'p>, DispatchError> {
        let RawParams { name, arguments, meta } = params;
        let last = self.entry(&name)?;
        let arguments = arguments.map(RawValue::get).filter(|text| *text != "null");
        let arguments = arguments.map(|text| last.within_bytes(text.len()).and_then(|()| reader::read_text(text)));
        Ok(Asked { last, name, arguments, meta })
    }

    #[inline]
    fn entry(&self, name: &str) -> Result<Last<'_>, DispatchError> {
        if let Some(index) = self.inner.by_name.get(name) {
            let (entry, tool) = (&self.inner.entries[*index], &self.inner.natural[*index]);
            return Ok(Last { settings: self.settings(), entry, tool });
        }
        let known = self.inner.entries.iter().map(Entry::name);
        let did_you_mean = suggest(name, known).map(str::to_owned);
        Err(DispatchError::UnknownTool { name: name.to_owned(), did_you_mean })
    }

    #[inline]
    fn context(&self, last: &Last<'_>, request: Request) -> CallContext {
        let Request { call_id, meta, extensions, protocol_version, progress } = request;
        let in_meta = || CallId::new(meta.as_ref()?.get(&self.settings().call_id_key)?.as_str()?).ok();
        let call_id = call_id.or_else(in_meta).unwrap_or_else(|| (self.settings().call_ids)());
        CallContext {
            call_id,
            meta,
            extensions,
            protocol_version,
            // A limit beyond what the clock can say is none.
            deadline: last.limit().and_then(|limit| Instant::now().checked_add(limit)),
            common: Arc::clone(&last.entry.common),
            live: progress.map(|sink| Arc::new(Live::new(Some(sink)))).map_or_else(OnceLock::new, OnceLock::from),
        }
    }

    /// From what was asked to a response: the way that every call goes, from the wait for a place to the last check.
    pub(crate) async fn answer<'d>(&'d self, ready: &mut Ready<'d, '_>) -> Result<Answered<'d>, DispatchError> {
        let Ready { last, cx, request, document } = ready;
        let (last, cx) = (*last, &*cx);
        let over = Over(cx);
        let started = Start::new();
        let outcome = {
            let work = pin!(async {
                let _place = match &self.inner.turnstile {
                    Some(turnstile) => Some(cx.live().take_place(turnstile.enter().await)),
                    None => None,
                };
                started.set((self.settings().clock)());
                let outcome = {
                    let running = match request.as_deref_mut() {
                        // The layers stand around the reading of the arguments: they may change them.
                        Some(request) => {
                            let fault = document.take().and_then(Result::err);
                            let next = Next { layers: &self.inner.layers, last, fault };
                            guard::start(|| next.run(request, cx))
                        }
                        None => last.start(cx, document.get_or_insert_with(|| Ok(Tape::empty()))),
                    };
                    match running {
                        Ok(running) => running.await,
                        Err(error) => Err(error),
                    }
                };
                // The check of the result needs such a list too.
                *document = None;
                outcome
            });
            #[cfg(feature = "tracing")]
            let span = CallSpan::new(cx);
            #[cfg(feature = "tracing")]
            let work = pin!(span.around(work));
            // Goes before the work does, for what the tool drops to see that the call was cancelled.
            let wanted = Wanted(Some(cx));
            #[cfg(feature = "tokio")]
            let outcome = match last.limit() {
                None => work.await,
                Some(limit) => limit::within(limit, last.entry, cx, work, &started).await,
            };
            #[cfg(not(feature = "tokio"))]
            let outcome = work.await;
            let outcome =
                outcome.and_then(|output| last.entry.release(last.tool, output, self.settings().max_result_bytes));
            wanted.answered();
            #[cfg(feature = "tracing")]
            span.answered(cx, &outcome);
            outcome
        };
        let now = (self.settings().clock)();
        let duration = started.get().map_or(Duration::ZERO, |started| now.saturating_sub(started));
        drop(over);
        let call_id = cx.call_id().clone();
        if let Some(type_name) = outcome.as_ref().err().and_then(ToolError::missing_extension) {
            return Err(DispatchError::MissingExtension { type_name });
        }
        let outcome = outcome.map_err(|error| error.named(last.entry.name(), &call_id));
        Ok(Answered { reply: Reply { call_id, duration, outcome }, sender: &last.entry.common.sender })
    }
}

/// What the bytes of a request say.
struct Asked<'d, 'p> {
    last: Last<'d>,
    name: Cow<'p, str>,
    /// `None` where there are none.
    arguments: Option<Result<Tape<'p>, Violation>>,
    meta: Option<Meta>,
}

/// A call that only has to be answered.
pub(crate) struct Ready<'d, 'p> {
    last: Last<'d>,
    cx: CallContext,
    /// What the layers are given, where there are any.
    request: Option<Box<CallToolRequest>>,
    /// The arguments, where there are any and nobody is done with them.
    document: Option<Result<Tape<'p>, Violation>>,
}

/// A call that was answered.
pub(crate) struct Answered<'d> {
    pub(crate) reply: Reply,
    pub(crate) sender: &'d Arc<Sender>,
}

/// What brings a request adds to it.
#[derive(Default)]
pub(crate) struct Carried {
    pub(crate) extensions: Extensions,
    pub(crate) progress: Option<Sink>,
}

/// What a request says beside the tool and its arguments.
struct Request {
    call_id: Option<CallId>,
    meta: Option<Meta>,
    extensions: Extensions,
    protocol_version: ProtocolVersion,
    progress: Option<Sink>,
}

/// Tells the call, when it is dropped before it was answered, that nobody wants it any more.
struct Wanted<'c>(Option<&'c CallContext>);

impl Wanted<'_> {
    fn answered(mut self) {
        self.0 = None;
    }
}

impl Drop for Wanted<'_> {
    fn drop(&mut self) {
        if let Some(cx) = self.0 {
            cx.live().cancel();
        }
    }
}

/// Sees to it that nothing is reported any more once it is dropped.
struct Over<'c>(&'c CallContext);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The tool at the end of the layers.
#[derive(Clone, Copy)]
pub(crate) struct Last<'a> {
    settings: &'a Settings,
    entry: &'a Entry,
    tool: &'a mcp::Tool,
}

impl Last<'_> {
    fn limit(&self) -> Option<Duration> {
        self.entry.timeout.or(self.settings.timeout)
    }

    /// Answers what the layers made of a request.
    pub(crate) async fn answer(
        self,
        request: &mut CallToolRequest,
        cx: &CallContext,
        fault: Option<Violation>,
    ) -> Result<Output, ToolError> {
        let cx = cx.with_extensions(std::mem::take(&mut request.extensions));
        let mut document = match (fault, &request.arguments) {
            (Some(fault), _) => Err(fault),
            (None, arguments) => self.document(arguments.as_ref()),
        };
        self.start(&cx, &mut document)?.await
    }

    /// The arguments of a request as a document.
    fn document<'d>(&self, arguments: Option<&'d Value>) -> Result<Tape<'d>, Violation> {
        let Some(value) = arguments.filter(|value| !value.is_null()) else { return Ok(Tape::empty()) };
        let document = reader::read_value(value)?;
        let mut length = ByteCounter(0);
        // Counting bytes does not fail.
        let _ = serde_json::to_writer(&mut length, value);
        self.within_bytes(length.0).map(|()| document)
    }

    fn within_bytes(&self, length: usize) -> Result<(), Violation> {
        let most = self.settings.max_argument_bytes;
        if length > most {
            return Err(Violation::root(format!("expected at most {most} bytes of JSON, got {length}")));
        }
        Ok(())
    }

    /// Checks the arguments, which are from then on as the tool reads them, and starts the tool.
    fn start<'c>(
        self,
        cx: &'c CallContext,
        document: &'c mut Result<Tape<'_>, Violation>,
    ) -> Result<Guard<'c, Output>, ToolError>
    where
        Self: 'c,
    {
        if let Some(need) = self.entry.extensions.iter().find(|need| !(need.is_met)(cx.extensions())) {
            return Err(ToolError::for_missing_extension((need.type_name)()));
        }
        let lax = self.settings.lax && !self.entry.has_headers;
        let document = document.as_mut().map_err(|fault| violations::invalid_arguments(std::slice::from_ref(fault)))?;
        self.entry.accept(self.tool, document, lax).map_err(|faults| violations::invalid_arguments(&faults))?;
        guard::start(|| self.entry.handler.call(cx, Arguments::new(document, lax)))
    }
}

impl std::fmt::Debug for Last<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Last").field(&self.entry.name()).finish()
    }
}
