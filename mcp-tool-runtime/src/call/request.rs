//! A request for a call, in either protocol's form.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Map, Value};

use super::{CallId, Extensions, Progress, Sink};
use crate::{ProtocolVersion, otc};

/// A request to call one tool.
///
/// Reads the `params` of the Model Context Protocol's `tools/call`, and Open Tool Calling's request:
///
/// ```
/// use mcp_tool_runtime::{json, serde_json, CallToolRequest};
///
/// let mcp: CallToolRequest = serde_json::from_value(json!({"name": "add", "arguments": {"a": 1, "b": 2}}))?;
/// let otc: CallToolRequest = serde_json::from_value(json!({"tool_id": "add@1.0.0", "input": {"a": 1, "b": 2}}))?;
/// assert_eq!((mcp.name, mcp.arguments), (otc.name, otc.arguments));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct CallToolRequest {
    /// The tool's name.
    pub name: String,
    /// The arguments; none are as good as `{}`.
    pub arguments: Option<Value>,
    /// The caller's id for the call, which is echoed.
    pub call_id: Option<CallId>,
    /// The request's `_meta`.
    pub meta: Option<Map<String, Value>>,
    /// What the server attaches to the request.
    pub extensions: Extensions,
    pub(crate) protocol_version: ProtocolVersion,
    pub(crate) progress: Option<Sink>,
}

impl CallToolRequest {
    /// A request to call this tool with these arguments.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, CallToolRequest};
    ///
    /// let request = CallToolRequest::new("get_weather", json!({"location": "Paris"})).with_call_id("call-1");
    /// assert_eq!(request.call_id.unwrap().as_str(), "call-1");
    /// ```
    #[must_use]
    pub fn new(name: impl Into<String>, arguments: impl Into<Value>) -> Self {
        Self {
            name: name.into(),
            arguments: Some(arguments.into()),
            call_id: None,
            meta: None,
            extensions: Extensions::new(),
            protocol_version: ProtocolVersion::LATEST,
            progress: None,
        }
    }

    /// Gives the call an id, in place of a fresh one.
    #[must_use]
    pub fn with_call_id(mut self, call_id: impl Into<CallId>) -> Self {
        self.call_id = Some(call_id.into());
        self
    }

    /// Gives the request its `_meta`.
    #[must_use]
    pub fn with_meta(mut self, meta: Map<String, Value>) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Attaches a value, for the tool to find in [`CallContext::extensions`](crate::CallContext::extensions).
    #[must_use]
    pub fn with_extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }

    /// Asks for reports on how far the call has come: see [`CallContext::progress`](crate::CallContext::progress).
    #[must_use]
    pub fn with_progress(mut self, sink: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(sink));
        self
    }

    /// Says which protocol version the caller speaks; [`ProtocolVersion::LATEST`] unless said.
    #[must_use]
    pub fn with_protocol_version(mut self, version: ProtocolVersion) -> Self {
        self.protocol_version = version;
        self
    }
}

/// Shows neither arguments nor metadata, which may be secret.
impl fmt::Debug for CallToolRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallToolRequest")
            .field("name", &self.name)
            .field("call_id", &self.call_id)
            .field("extensions", &self.extensions)
            .field("protocol_version", &self.protocol_version)
            .finish_non_exhaustive()
    }
}

/// Either form, as it is written.
#[derive(serde::Deserialize)]
struct Form {
    name: Option<String>,
    arguments: Option<Value>,
    #[serde(rename = "_meta")]
    meta: Option<Map<String, Value>>,
    tool_id: Option<String>,
    #[serde(alias = "inputs")]
    input: Option<Value>,
    #[serde(default)]
    call_id: Value,
    trace_id: Option<String>,
    context: Option<otc::RequestContext>,
}

impl<'de> Deserialize<'de> for CallToolRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = Form::deserialize(deserializer)?;
        let mut extensions = Extensions::new();
        let (name, arguments) = match (form.name, form.tool_id) {
            (Some(name), None) => (name, form.arguments),
            (None, Some(tool_id)) => {
                extensions.insert(otc::Context::new(form.trace_id, form.context.unwrap_or_default()));
                (without_version(tool_id), form.input)
            }
            (Some(_), Some(_)) => return Err(D::Error::custom("`name` and `tool_id` are the same thing; give one")),
            (None, None) => return Err(D::Error::missing_field("name")),
        };
        let call_id = form.call_id.as_str().and_then(|id| CallId::new(id).ok());
        let protocol_version = ProtocolVersion::LATEST;
        Ok(Self { name, arguments, call_id, meta: form.meta, extensions, protocol_version, progress: None })
    }
}

/// `Calculator.Add@1.0.0` names the tool `Calculator.Add`.
fn without_version(mut tool_id: String) -> String {
    if let Some(at) = tool_id.rfind('@') {
        tool_id.truncate(at);
    }
    tool_id
}
