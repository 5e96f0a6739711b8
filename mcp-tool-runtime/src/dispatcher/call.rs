//! One call, from its request to its response.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{DispatchError, Dispatcher, Entry, guard};
use crate::arguments::fault::{self, Fault};
use crate::arguments::lenient;
use crate::arguments::node::Node;
use crate::arguments::read::{self, Document};
use crate::call::RawParams;
use crate::nearest::nearest;
use crate::output::Body;
use crate::{
    Arguments, CallContext, CallId, CallToolRequest, CallToolResponse, Extensions, Output, ProtocolVersion, ToolError,
    mcp,
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
        let (entry, tool) = self.entry(&request.name)?;
        let CallToolRequest { arguments, call_id, meta, extensions, protocol_version, .. } = request;
        let cx = self.context(entry, call_id, meta, extensions, protocol_version);
        let document = match &arguments {
            None | Some(Value::Null) => Ok(Document::empty()),
            Some(value) => read::value(value).and_then(|document| self.within_bounds(value).map(|()| document)),
        };
        Ok(self.answer(entry, tool, cx, document).await)
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
        let params: RawParams<'_> = serde_json::from_slice(params)
            .map_err(|error| DispatchError::InvalidRequest { message: crate::call::request_fault(&error) })?;
        let (entry, tool) = self.entry(&params.name)?;
        let cx = self.context(entry, None, params.meta, Extensions::new(), version);
        let document = match params.arguments.map(serde_json::value::RawValue::get) {
            None | Some("null") => Ok(Document::empty()),
            Some(text) => self.within_bytes(text.len()).and_then(|()| read::text(text)),
        };
        let response = self.answer(entry, tool, cx, document).await;
        // What a response holds has been serialised before, or is made of strings and numbers.
        Ok(serde_json::to_vec(&response.to_mcp(version)).unwrap_or_default())
    }

    fn entry(&self, name: &str) -> Result<(&Entry, &mcp::Tool), DispatchError> {
        if let Some(index) = self.inner.by_name.get(name) {
            return Ok((&self.inner.entries[*index], &self.inner.natural[*index]));
        }
        let known = self.inner.entries.iter().map(|entry| &*entry.name);
        let did_you_mean = nearest(name, known).map(str::to_owned);
        Err(DispatchError::UnknownTool { name: name.to_owned(), did_you_mean })
    }

    fn context(
        &self,
        entry: &Entry,
        call_id: Option<CallId>,
        meta: Option<Map<String, Value>>,
        extensions: Extensions,
        protocol_version: ProtocolVersion,
    ) -> CallContext {
        let meta = meta.unwrap_or_default();
        let in_meta = || CallId::new(meta.get(&self.settings().call_id_key)?.as_str()?).ok();
        let call_id = call_id.or_else(in_meta).unwrap_or_else(|| (self.settings().call_ids)());
        CallContext { call_id, tool_name: Arc::clone(&entry.name), meta, extensions, protocol_version }
    }

    fn within_bounds(&self, arguments: &Value) -> Result<(), Fault> {
        let mut length = Length(0);
        // Counting bytes does not fail.
        let _ = serde_json::to_writer(&mut length, arguments);
        self.within_bytes(length.0)
    }

    fn within_bytes(&self, length: usize) -> Result<(), Fault> {
        let most = self.settings().max_argument_bytes;
        if length > most {
            return Err(Fault::root(format!("expected at most {most} bytes of JSON, got {length}")));
        }
        Ok(())
    }

    /// From a document to a response: the way that every call goes.
    async fn answer(
        &self,
        entry: &Entry,
        tool: &mcp::Tool,
        cx: CallContext,
        document: Result<Document<'_>, Fault>,
    ) -> CallToolResponse {
        let start = (self.settings().clock)();
        let outcome = match document.map_err(|fault| vec![fault]).and_then(|document| entry.accept(tool, document)) {
            Ok(root) => match guard::start(|| entry.handler.call(&cx, Arguments::new(&root))) {
                Ok(running) => running.await,
                Err(error) => Err(error),
            },
            Err(faults) => Err(fault::error(&faults)),
        };
        let outcome = outcome.and_then(|output| entry.release(tool, output, self.settings().max_result_bytes));
        let duration = (self.settings().clock)().saturating_sub(start);
        let outcome = outcome.map_err(|error| error.named(&entry.name, &cx.call_id));
        CallToolResponse::new(cx.call_id, duration, outcome, Arc::clone(&entry.sender))
    }
}

impl Entry {
    /// Takes from the arguments what is forgiven, and checks the rest.
    fn accept<'d>(&self, tool: &mcp::Tool, document: Document<'d>) -> Result<Node<'d>, Vec<Fault>> {
        let Document { mut root, has_null } = document;
        if !matches!(root, Node::Object(_)) {
            return Err(vec![Fault::root(format!("expected an object, got {}", root.kind()))]);
        }
        let mut faults = lenient::rename(&mut root, self.aliases);
        if has_null {
            lenient::drop_nulls(&mut root, &tool.input_schema, &tool.input_schema);
        }
        faults.extend(self.faults(tool, &root));
        if faults.is_empty() { Ok(root) } else { Err(faults) }
    }

    #[cfg(feature = "validate")]
    fn faults(&self, tool: &mcp::Tool, root: &Node<'_>) -> Vec<Fault> {
        self.input.faults(root, &tool.input_schema)
    }

    /// Without a validator the types decide; that an argument is unknown, no type says.
    #[cfg(not(feature = "validate"))]
    fn faults(&self, _: &mcp::Tool, root: &Node<'_>) -> Vec<Fault> {
        let (Some(known), Node::Object(members)) = (&self.known, root) else { return Vec::new() };
        let unknown = members.iter().filter(|(name, _)| !known.iter().any(|known| known == name));
        let fault = |name: &str| Fault::unknown(&crate::path::Path::default(), name, known.iter().map(String::as_str));
        unknown.map(|(name, _)| fault(name)).collect()
    }

    /// Checks an output before it leaves (rule R2).
    fn release(&self, tool: &mcp::Tool, output: Output, max_bytes: usize) -> Result<Output, ToolError> {
        let bytes = match &output.body {
            Body::Value(value) => value.get().len(),
            Body::Unit | Body::Blocks => 0,
        };
        let mut length = Length(bytes);
        let _ = serde_json::to_writer(&mut length, &output.content);
        if length.0 > max_bytes {
            let text = format!("it has {} bytes, more than the {max_bytes} that are sent", length.0);
            return Err(ToolError::invalid_result(text));
        }
        if let Some(fault) = output.content.iter().find_map(crate::Content::fault) {
            return Err(ToolError::invalid_result(fault));
        }
        self.promised(tool, &output)?;
        Ok(output)
    }

    #[cfg(feature = "validate")]
    fn promised(&self, tool: &mcp::Tool, output: &Output) -> Result<(), ToolError> {
        let (Some(check), Some(schema)) = (&self.output, &tool.output_schema) else { return Ok(()) };
        let Body::Value(value) = &output.body else { return Err(no_value()) };
        let document = read::text(value.get()).map_err(|fault| invalid_result(&[fault]))?;
        match check.faults(&document.root, schema).as_slice() {
            [] => Ok(()),
            faults => Err(invalid_result(faults)),
        }
    }

    #[cfg(not(feature = "validate"))]
    fn promised(&self, _: &mcp::Tool, output: &Output) -> Result<(), ToolError> {
        match &output.body {
            Body::Unit | Body::Blocks if self.sender.structured => Err(no_value()),
            Body::Value(_) | Body::Unit | Body::Blocks => Ok(()),
        }
    }
}

fn no_value() -> ToolError {
    ToolError::invalid_result("it has no value, though an output schema is published")
}

/// The first fault goes to the model, all of them to the logs.
#[cfg(feature = "validate")]
fn invalid_result(faults: &[Fault]) -> ToolError {
    let describe = |fault: &Fault| {
        let place = if fault.path.is_root() { "the value".to_owned() } else { format!("`{}`", fault.path) };
        format!("{place}: {}", fault.text)
    };
    let all: Vec<_> = faults.iter().map(describe).collect();
    ToolError::invalid_result(all.first().cloned().unwrap_or_default()).with_developer_message(all.join("; "))
}

/// Counts what is written to it.
struct Length(usize);

impl std::io::Write for Length {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
