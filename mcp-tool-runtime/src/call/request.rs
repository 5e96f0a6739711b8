//! A request to call a tool.

use std::fmt;
use std::sync::Arc;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{CallId, Extensions, Progress, ProgressSink};
use crate::json::reader;
use crate::json::violation::Violation;
use crate::{ProtocolVersion, otc};

/// A request to call a tool.
///
/// It deserializes from the `params` of `tools/call` in the Model Context Protocol, and from a request of Open Tool
/// Calling, either alone or in the body of `POST /tools/call`:
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
#[must_use]
pub struct CallToolRequest {
    /// The name of the tool.
    pub name: String,
    /// The arguments. `None` means `{}`.
    pub arguments: Option<Value>,
    /// The caller's id for the call. The response has the same id.
    pub call_id: Option<CallId>,
    /// The request's `_meta`.
    pub meta: Option<Map<String, Value>>,
    /// The values that the server attaches to the request.
    pub extensions: Extensions,
    pub(crate) protocol_version: ProtocolVersion,
    pub(crate) progress: Option<ProgressSink>,
    /// The violation that kept the arguments from being parsed, such as too great a depth or a duplicate key.
    pub(crate) violation: Option<Box<Violation>>,
    /// The answers, the state and the asker for the tool's questions. Boxed, because few requests have them, and a
    /// request is moved several times.
    pub(crate) answers: Option<Box<Answers>>,
}

/// The answers to the tool's questions, the state that the previous round returned, and the asker that can ask the user
/// during the call.
#[derive(Clone, Default)]
pub(crate) struct Answers {
    pub(crate) input_responses: Option<Value>,
    pub(crate) request_state: Option<String>,
    pub(crate) asker: Option<crate::ask::session::AttachedAsker>,
}

impl CallToolRequest {
    /// Creates a request to call the tool `name` with these arguments.
    ///
    /// ```
    /// use mcp_tool_runtime::{json, CallToolRequest};
    ///
    /// let request = CallToolRequest::new("get_weather", json!({"location": "Paris"})).with_call_id("call-1");
    /// assert_eq!(request.call_id.unwrap().as_str(), "call-1");
    /// ```
    pub fn new(name: impl Into<String>, arguments: impl Into<Value>) -> Self {
        Self {
            name: name.into(),
            arguments: Some(arguments.into()),
            call_id: None,
            meta: None,
            extensions: Extensions::new(),
            protocol_version: ProtocolVersion::LATEST,
            progress: None,
            violation: None,
            answers: None,
        }
    }

    /// Sets the call's id. Without an id, the dispatcher generates one.
    ///
    /// An id that [`CallId::new`] does not accept is ignored.
    pub fn with_call_id(self, call_id: impl TryInto<CallId>) -> Self {
        Self { call_id: call_id.try_into().ok(), ..self }
    }

    /// Sets the request's `_meta`.
    pub fn with_meta(self, meta: Map<String, Value>) -> Self {
        Self { meta: Some(meta), ..self }
    }

    /// Attaches a value. The tool finds it in [`CallContext::extensions`](crate::CallContext::extensions).
    ///
    /// ```
    /// use mcp_tool_runtime::{json, CallToolRequest};
    ///
    /// struct User(String);
    ///
    /// let request = CallToolRequest::new("list_notes", json!({})).with_extension(User("ann".into()));
    /// assert_eq!(request.extensions.get::<User>().unwrap().0, "ann");
    /// ```
    pub fn with_extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }

    /// Asks for progress reports. `sink` receives the reports of
    /// [`CallContext::progress`](crate::CallContext::progress), and those of a `heartbeat`.
    pub fn with_progress(self, sink: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        Self { progress: Some(Arc::new(sink)), ..self }
    }

    /// Sets the caller's protocol version. The default is [`ProtocolVersion::LATEST`].
    pub fn with_protocol_version(self, version: ProtocolVersion) -> Self {
        Self { protocol_version: version, ..self }
    }

    /// Sets the answers to the questions of the previous round: an object that has the answer to each question under
    /// the question's key (feature `ask`). See [`InputRequired`](crate::ask::InputRequired).
    pub fn with_input_responses(mut self, responses: impl Into<Value>) -> Self {
        self.answers_mut().input_responses = Some(responses.into());
        self
    }

    /// Sets the state that the previous round returned (feature `ask`). See
    /// [`InputRequired`](crate::ask::InputRequired).
    pub fn with_request_state(mut self, state: impl Into<String>) -> Self {
        self.answers_mut().request_state = Some(state.into());
        self
    }

    /// Sets the [`Asker`](crate::ask::Asker) that answers the tool's questions while the call waits (feature `ask`).
    pub fn with_asker(mut self, asker: impl crate::ask::Asker) -> Self {
        let asker = crate::ask::session::AttachedAsker { asker: Arc::new(asker), client: None };
        self.answers_mut().asker = Some(asker);
        self
    }

    /// Returns a request for another call to the same tool with the same arguments and the same asker, but without the
    /// call id, the answers and the request state.
    pub(crate) fn repeated(&self) -> Self {
        let asker = self.answers.as_ref().and_then(|answers| answers.asker.clone());
        let answers = asker.map(|asker| Box::new(Answers { asker: Some(asker), ..Answers::default() }));
        Self { call_id: None, violation: None, answers, ..self.clone() }
    }

    pub(crate) fn answers_mut(&mut self) -> &mut Answers {
        self.answers.get_or_insert_default()
    }
}

debug_struct!(
    /// Does not show the arguments or `_meta`, because they may be secret.
    CallToolRequest, it =>
    name: it.name, call_id: it.call_id, extensions: it.extensions, protocol_version: it.protocol_version,
);

/// A request in the form of the Model Context Protocol or of Open Tool Calling.
struct Form(Fields);

impl<'de> Deserialize<'de> for Form {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FormVisitor)
    }
}

/// The visitor that reads a request. A derived `Deserialize` would also accept an array, and would name the struct in
/// its errors.
struct FormVisitor;

impl<'de> Visitor<'de> for FormVisitor {
    type Value = Form;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `name` and `arguments`, or with `tool_id` and `input`")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Form, A::Error> {
        Fields::deserialize(MapAccessDeserializer::new(fields)).map(Form)
    }
}

/// The fields of both protocols. The fields that are present tell which protocol the request uses.
#[derive(serde::Deserialize)]
struct Fields {
    #[serde(rename = "$schema")]
    schema: Option<Value>,
    request: Option<Box<Form>>,
    name: Option<String>,
    arguments: Option<Box<RawValue>>,
    #[serde(rename = "_meta")]
    meta: Option<Map<String, Value>>,
    tool_id: Option<String>,
    #[serde(alias = "inputs")]
    input: Option<Box<RawValue>>,
    #[serde(default)]
    call_id: Value,
    trace_id: Option<String>,
    context: Option<otc::RequestContext>,
    #[serde(rename = "inputResponses")]
    input_responses: Option<Value>,
    #[serde(rename = "requestState")]
    request_state: Option<String>,
}

impl<'de> Deserialize<'de> for CallToolRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Form(mut form) = Form::deserialize(deserializer).map_err(|error| {
            // Remove the refused value from the message: it may be a secret, and the message ends up in logs and
            // responses.
            without_value(&error.to_string()).map_or(error, D::Error::custom)
        })?;
        if let (Some(request), None, None) = (form.request.take(), &form.name, &form.tool_id) {
            if form.schema.is_some_and(|schema| !schema.as_str().is_some_and(is_version_1)) {
                return Err(D::Error::custom("`$schema` must be that of Open Tool Calling 1.0"));
            }
            form = request.0;
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
                #[cfg(feature = "tasks")]
                if let Some(id) = form.call_id.as_str() {
                    extensions.insert(super::IdempotencyKey(id.to_owned()));
                }
                extensions.insert(otc::Context::new(version, form.trace_id, form.context.unwrap_or_default()));
                (name, form.input)
            }
            (Some(_), Some(_)) => return Err(D::Error::custom("`name` and `tool_id` mean the same; send one of them")),
            (None, None) if form.input.is_some() || form.context.is_some() || form.trace_id.is_some() => {
                return Err(D::Error::missing_field("tool_id"));
            }
            (None, None) => return Err(D::Error::missing_field("name")),
        };
        // Read the text, because a `Value` would hide a key that appears twice.
        let read =
            arguments.as_deref().map(|text| reader::read_text(text.get()).map(|document| document.root().to_value()));
        let (arguments, violation) = match read.transpose() {
            Ok(arguments) => (arguments, None),
            Err(violation) => (Some(Value::Null), Some(Box::new(violation))),
        };
        let call_id = form.call_id.as_str().and_then(|id| CallId::new(id).ok());
        Ok(Self {
            name,
            arguments,
            call_id,
            meta: form.meta,
            extensions,
            protocol_version: ProtocolVersion::LATEST,
            progress: None,
            violation,
            answers: answers(form.input_responses, form.request_state),
        })
    }
}

/// Returns the [`Answers`] of a request, or `None` if the request has neither answers nor a state.
pub(crate) fn answers(input_responses: Option<Value>, request_state: Option<String>) -> Option<Box<Answers>> {
    let is_empty = input_responses.is_none() && request_state.is_none();
    (!is_empty).then(|| Box::new(Answers { input_responses, request_state, asker: None }))
}

/// Returns `true` if a `$schema` names version 1.0 of Open Tool Calling, as a URN or as the URL of the specification.
fn is_version_1(schema: &str) -> bool {
    schema == "urn:oxp:1.0" || schema.ends_with("/1.0/openapi.json")
}

/// Removes the value from an error message of serde such as `invalid type: string "s3cr3t", expected …`. Returns `None`
/// for a message of any other form.
fn without_value(message: &str) -> Option<String> {
    let (kind, rest) =
        ["invalid type: ", "invalid value: "].into_iter().find_map(|kind| Some((kind, message.strip_prefix(kind)?)))?;
    // Search from the end, because the value itself may contain `, expected `.
    let expected = rest.rfind(", expected ")?;
    let value = &rest[..expected];
    let word = value.split([' ', '`', '"']).next().unwrap_or_default();
    Some(format!("{kind}{word}{}", &rest[expected..]))
}

#[cfg(test)]
mod tests {
    use super::without_value;

    #[test]
    fn a_quoted_value_is_hidden() {
        let hidden = |message: &str| without_value(message).unwrap_or_default();
        assert_eq!(
            hidden(r#"invalid type: string "a, expected b", expected an object at line 1 column 2"#),
            "invalid type: string, expected an object at line 1 column 2"
        );
        assert_eq!(hidden("invalid type: integer `5`, expected a string"), "invalid type: integer, expected a string");
        assert_eq!(without_value("missing field `name`"), None);
    }
}
