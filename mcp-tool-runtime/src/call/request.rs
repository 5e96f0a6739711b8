//! A request for a call, in either protocol's form.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::{Map, Value};

use super::{CallId, Extensions, Progress, Sink};
use crate::{ProtocolVersion, otc};

/// A request to call one tool.
///
/// Reads the `params` of the Model Context Protocol's `tools/call`, and Open Tool Calling's request, alone or in the
/// `request` of the body that its `POST /tools/call` has:
///
/// ```
/// use mcp_tool_runtime::{json, serde_json, CallToolRequest};
///
/// let mcp: CallToolRequest = serde_json::from_value(json!({"name": "add", "arguments": {"a": 1, "b": 2}}))?;
/// let otc: CallToolRequest = serde_json::from_value(json!({"tool_id": "add@1.0.0", "input": {"a": 1, "b": 2}}))?;
/// assert_eq!((&mcp.name, &mcp.arguments), (&otc.name, &otc.arguments));
///
/// let body = r#"{"$schema": "urn:oxp:1.0", "request": {"tool_id": "add@1.0.0", "input": {"a": 1, "b": 2}}}"#;
/// let otc: CallToolRequest = serde_json::from_str(body)?;
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
    #[serde(rename = "$schema")]
    schema: Option<Value>,
    request: Option<Box<Form>>,
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
        let mut form = Form::deserialize(deserializer)?;
        if let (Some(request), None, None) = (form.request.take(), &form.name, &form.tool_id) {
            if form.schema.is_some_and(|schema| !schema.as_str().is_some_and(is_spoken)) {
                return Err(D::Error::custom("`$schema` asks for a version of Open Tool Calling that is not 1.0"));
            }
            form = *request;
            if form.name.is_some() || form.tool_id.is_none() {
                return Err(D::Error::custom("`request.tool_id` is missing"));
            }
        }
        let mut extensions = Extensions::new();
        let (name, arguments) = match (form.name, form.tool_id) {
            (Some(name), None) => (name, form.arguments),
            (None, Some(tool_id)) => {
                let (name, version) = match tool_id.rsplit_once('@') {
                    Some((name, version)) => (name.to_owned(), Some(version.to_owned())),
                    None => (tool_id, None),
                };
                extensions.insert(otc::Context::new(version, form.trace_id, form.context.unwrap_or_default()));
                (name, form.input)
            }
            (Some(_), Some(_)) => return Err(D::Error::custom("`name` and `tool_id` are the same thing; give one")),
            (None, None) if form.input.is_some() || form.context.is_some() || form.trace_id.is_some() => {
                return Err(D::Error::missing_field("tool_id"));
            }
            (None, None) => return Err(D::Error::missing_field("name")),
        };
        let call_id = form.call_id.as_str().and_then(|id| CallId::new(id).ok());
        let protocol_version = ProtocolVersion::LATEST;
        Ok(Self { name, arguments, call_id, meta: form.meta, extensions, protocol_version, progress: None })
    }
}

/// Whether a `$schema` names the version 1.0: as a URN, or as the address of the specification's document.
fn is_spoken(schema: &str) -> bool {
    schema == "urn:oxp:1.0" || schema.ends_with("/1.0/openapi.json")
}
