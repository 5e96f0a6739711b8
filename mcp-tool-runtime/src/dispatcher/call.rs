//! Turns a request, given as a value or as bytes, into a [`PreparedCall`]. [`run`](super::run) does the rest.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::Dispatcher;
use super::gate::{Gate, Rejection};
use super::record::Sent;
use super::run::{PreparedCall, Target};
use crate::arguments;
use crate::ask::session::{Incoming, Session};
use crate::call::meta::CALL_ID;
use crate::call::{CallState, Meta, ParentCall, ProgressSink};
use crate::json::scanner::SyntaxError;
use crate::mcp::params::{InvalidParams, RequestMeta, RequestParams, string};
use crate::operations::{Carrier, OpenRecord};
use crate::{CallContext, CallId, CallToolRequest, CallToolResponse, DispatchError, Extensions, ProtocolVersion, mcp};

impl Dispatcher {
    /// Calls a tool. If the tool fails, the response contains its error.
    ///
    /// Dropping the future cancels the call.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{json, mcp_tool, tools, CallToolRequest, Dispatcher};
    ///
    /// /// Divide two numbers.
    /// #[mcp_tool]
    /// async fn divide(a: i64, b: i64) -> Result<i64, &'static str> {
    ///     a.checked_div(b).ok_or("b must not be zero")
    /// }
    ///
    /// let dispatcher = Dispatcher::builder().tools(tools![divide]).build()?;
    /// let response = dispatcher.call(CallToolRequest::new("divide", json!({"a": 6, "b": 3}))).await?;
    /// assert_eq!(response.deserialize::<i64>()?, 2);
    /// let response = dispatcher.call(CallToolRequest::new("divide", json!({"a": 6, "b": 0}))).await?;
    /// assert_eq!(response.error().unwrap().message(), "b must not be zero");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a [`DispatchError`] if the request itself is wrong, for example because it names an unknown tool.
    pub async fn call(&self, request: CallToolRequest) -> Result<CallToolResponse, DispatchError> {
        self.call_from(request, None, None, self.open_record(Carrier::Rust)).await
    }

    /// Runs a call from a client or from another tool. If `gate` is `None`, asks the rules.
    pub(crate) async fn call_from(
        &self,
        mut request: CallToolRequest,
        parent: Option<Arc<ParentCall>>,
        gate: Option<Gate<'_>>,
        record: OpenRecord,
    ) -> Result<CallToolResponse, DispatchError> {
        let mut prepared = self.prepare_request(&mut request, parent, gate, record);
        match prepared {
            // Borrow the call, because it is expensive to move.
            Ok(ref mut call) => self.run(call).await,
            Err(rejection) => rejection.into_response(),
        }
    }

    /// Prepares a call from a request, and moves the parts that the call needs out of the request.
    #[inline]
    pub(crate) fn prepare_request<'d, 'r>(
        &'d self,
        request: &'r mut CallToolRequest,
        parent: Option<Arc<ParentCall>>,
        gate: Option<Gate<'d>>,
        mut record: OpenRecord,
    ) -> Result<PreparedCall<'d, 'r>, Rejection<'d>> {
        let attached = parent.as_ref().map_or(&request.extensions, |parent| &parent.attached);
        let gate = gate.unwrap_or_else(|| self.gate(&request.name, attached));
        let id_in_meta = || CallId::new(request.meta.as_ref()?.get(CALL_ID)?.as_str()?).ok();
        let call_id = request.call_id.clone().or_else(id_in_meta);
        let Some(target) = gate.target() else {
            let of_request = (request.protocol_version, request.meta.take().map(Meta::from));
            return Err(self.reject(&gate, &request.name, attached, call_id, of_request, record));
        };
        // Only middlewares read the request again. If there are none, move its parts out.
        let (meta, extensions) = if target.entry.metadata.middlewares.is_empty() {
            (request.meta.take(), std::mem::take(&mut request.extensions))
        } else {
            (request.meta.clone(), request.extensions.clone())
        };
        let parts = ContextParts {
            call_id,
            meta: meta.map(Meta::from),
            extensions,
            protocol_version: request.protocol_version,
            progress: request.progress.clone(),
            parent,
        };
        let mut cx = self.context(&target, parts);
        if target.entry.questions.is_some() {
            let incoming = request.answers.as_deref().map(Incoming::from_values).unwrap_or_default();
            let arguments = || request.arguments.clone().unwrap_or_default();
            self.open_session(&gate, &target, &mut cx, &mut record, incoming, &arguments)?;
        }
        target.record(&mut record, &cx, Sent::Value(request.arguments.as_ref()));
        self.admit(&target, &cx, &mut record)?;
        let violation = request.violation.take().map(Err);
        Ok(if target.entry.metadata.middlewares.is_empty() {
            let arguments = Some(violation.unwrap_or_else(|| target.document(request.arguments.as_ref())));
            PreparedCall { target, cx, request: None, arguments, record }
        } else {
            let mut request = std::mem::replace(request, CallToolRequest::new(String::new(), Value::Null));
            // Give middlewares the current name: a middleware that compares names must also match calls by a former
            // name.
            target.entry.name().clone_into(&mut request.name);
            PreparedCall { target, cx, request: Some(Box::new(request)), arguments: violation, record }
        })
    }

    /// Calls a tool with the `params` of a `tools/call` request, given as bytes, and returns the bytes of the `result`.
    ///
    /// The arguments are read directly from those bytes. If they are too long or nested too deeply, or if they have a
    /// duplicate key, the call gets an error result.
    ///
    /// ```
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_tool_runtime::{mcp_tool, tools, CallId, Dispatcher, ExactCalls, ProtocolVersion};
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
    ///     .exact_calls(ExactCalls::new(CallId::new("1").unwrap(), Duration::ZERO))
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
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a [`DispatchError`] if the request itself is wrong, for example because the bytes are not valid JSON or
    /// name an unknown tool.
    pub async fn call_json(&self, params: &[u8], version: ProtocolVersion) -> Result<Vec<u8>, DispatchError> {
        // Use a block, so that the future does not hold `read` while the call runs.
        let mut prepared = {
            let mut read = RequestParams::default();
            let record = self.open_record(Carrier::Rust);
            let transport = TransportContext { record, ..TransportContext::default() };
            self.read(params, &mut read)?;
            self.prepare(&mut read, version, transport, None)
        };
        // Borrow the call, because it is expensive to move.
        let ended = match prepared {
            Ok(ref mut call) => self.run(call).await,
            Err(rejection) => rejection.into_response(),
        };
        match ended {
            Ok(ref response) => {
                let mut bytes = Vec::new();
                mcp::result::write(&mut bytes, response, version, "");
                Ok(bytes)
            }
            Err(error) => Err(error),
        }
    }

    /// Prepares a call from its `params`, and takes the arguments out of them.
    #[inline]
    pub(crate) fn prepare<'d, 'p>(
        &'d self,
        params: &mut RequestParams<'p>,
        version: ProtocolVersion,
        transport: TransportContext,
        gate: Option<Gate<'d>>,
    ) -> Result<PreparedCall<'d, 'p>, Rejection<'d>> {
        let invalid = |message: &str| DispatchError::InvalidRequest { message: message.to_owned() };
        let name = params.name.ok_or_else(|| invalid("`name` is missing"))?;
        let name = string(name).ok_or_else(|| invalid("`name` must be a string"))?;
        let call_id = |meta: Option<&RequestMeta<'_>>| CallId::new(string(meta?.call_id?)?).ok();
        let gate = gate.unwrap_or_else(|| self.gate(&name, &transport.extensions));
        let Some(target) = gate.target() else {
            let call_id = call_id(params.meta.as_ref());
            let of_request = (version, params.meta());
            return Err(self.reject(&gate, &name, &transport.extensions, call_id, of_request, transport.record));
        };
        let arguments = params.arguments.take();
        let value = || Some(arguments.as_ref()?.as_ref().ok()?.root().to_value());
        let TransportContext { extensions, progress, mut record, .. } = transport;
        let meta = params.meta();
        let request = (!target.entry.metadata.middlewares.is_empty()).then(|| {
            let name = target.entry.name();
            let mut request = Box::new(CallToolRequest::new(name, Value::Null).with_protocol_version(version));
            request.arguments = value();
            request.meta = meta.as_ref().map(|meta| meta.map().clone());
            request.extensions = extensions.clone();
            request
        });
        let call_id = call_id(params.meta.as_ref());
        let parts = ContextParts { call_id, meta, extensions, protocol_version: version, progress, parent: None };
        let mut cx = self.context(&target, parts);
        if target.entry.questions.is_some() {
            let [responses, state] = [params.input_responses, params.request_state].map(|text| text.map(Cow::Borrowed));
            let incoming = Incoming { responses, state, asker: transport.asker };
            let arguments = || value().unwrap_or_default();
            self.open_session(&gate, &target, &mut cx, &mut record, incoming, &arguments)?;
        }
        let document = arguments.as_ref().and_then(|arguments| arguments.as_ref().ok());
        target.record(&mut record, &cx, Sent::Text(params.argument_bytes, document));
        self.admit(&target, &cx, &mut record)?;
        Ok(PreparedCall { target, cx, request, arguments, record })
    }

    fn read<'p>(&self, bytes: &'p [u8], params: &mut RequestParams<'p>) -> Result<(), DispatchError> {
        let invalid = |message: String| DispatchError::InvalidRequest { message };
        let text = std::str::from_utf8(bytes).map_err(|error| SyntaxError::at(error.valid_up_to()));
        match text.and_then(|text| params.read_text(text, self.settings())) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(InvalidParams)) => {
                Err(invalid("expected an object without duplicate keys, whose `_meta` is an object".to_owned()))
            }
            Err(error) => {
                let (line, column) = error.line_and_column(bytes);
                Err(invalid(format!("not valid JSON at line {line}, column {column}")))
            }
        }
    }

    /// Opens the session in which a call asks its questions, and passes it the answers and the state from the request.
    /// Does nothing if the tool has no questions.
    #[cold]
    fn open_session(
        &self,
        gate: &Gate<'_>,
        target: &Target<'_>,
        cx: &mut CallContext,
        record: &mut OpenRecord,
        incoming: Incoming<'_>,
        arguments: &dyn Fn() -> Value,
    ) -> Result<(), DispatchError> {
        let Some(questions) = &target.entry.questions else { return Ok(()) };
        let opened = Session::open(cx, questions, incoming, arguments, target.entry.cursor.as_deref());
        let session = opened.inspect_err(|error| {
            self.record_gate(record, gate, cx.attached());
            if let Some(record) = record.get() {
                record.set_context(cx);
            }
            record.end_rejected(error);
        })?;
        if let Some(call_id) = session.call_id().and_then(|id| CallId::new(id).ok()) {
            cx.call_id = call_id;
        }
        cx.asking = Some(Arc::new(session));
        Ok(())
    }

    pub(super) fn target_at(&self, index: usize) -> Target<'_> {
        let entry = &self.inner.entries[index];
        Target {
            entry,
            tool: &self.list_all()[index],
            former: None,
            #[cfg(feature = "tasks")]
            is_once: entry.metadata.once.is_some(),
        }
    }

    /// Returns the tool that has this name, or had it before.
    #[inline]
    pub(super) fn target(&self, name: &str) -> Option<Target<'_>> {
        let (index, former) = self.inner.names.find(name)?;
        Some(Target { former, ..self.target_at(index) })
    }

    #[inline]
    pub(super) fn context(&self, target: &Target<'_>, parts: ContextParts) -> CallContext {
        let ContextParts { call_id, meta, extensions, protocol_version, progress, parent } = parts;
        let call_id = call_id.unwrap_or_else(|| self.settings().new_call_id());
        // A timeout beyond what the clock can represent never fires.
        let deadline = target.entry.metadata.timeout.and_then(|timeout| arguments::now().checked_add(timeout));
        let deadline_of_parent = parent.as_ref().and_then(|parent| parent.deadline);
        let state = progress.map(|sink| Arc::new(CallState::new(Some(sink))));
        CallContext {
            call_id,
            meta,
            extensions,
            protocol_version,
            deadline: deadline.into_iter().chain(deadline_of_parent).min(),
            tool: Arc::clone(&target.entry.shared),
            attached: parent.as_ref().map(|parent| parent.attached.clone()),
            parent,
            state: state.map_or_else(OnceLock::new, OnceLock::from),
            asking: None,
        }
    }
}

/// What a transport adds to the `params` of a request.
#[derive(Default)]
pub(crate) struct TransportContext {
    pub(crate) extensions: Extensions,
    pub(crate) progress: Option<ProgressSink>,
    /// Whether the transport itself answers a call to a tool that is hidden only because the caller lacks scopes. If
    /// so, lists include such tools.
    pub(crate) challenges_scopes: bool,
    /// The asker that sends questions to the client while the call waits.
    pub(crate) asker: Option<crate::ask::session::AttachedAsker>,
    pub(crate) record: OpenRecord,
}

/// The parts of a request from which a [`CallContext`] is made.
pub(super) struct ContextParts {
    pub(super) call_id: Option<CallId>,
    pub(super) meta: Option<Meta>,
    pub(super) extensions: Extensions,
    pub(super) protocol_version: ProtocolVersion,
    pub(super) progress: Option<ProgressSink>,
    pub(super) parent: Option<Arc<ParentCall>>,
}
