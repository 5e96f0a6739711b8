//! The types of the Model Context Protocol: tool definitions and call results.
//!
//! They have the fields of the protocol's schema, and both serialize and deserialize. Absent properties are omitted,
//! because clients drop the whole list if a title, a schema or an annotation is `null`.

pub(crate) mod identity;
pub(crate) mod message;
pub(crate) mod params;
pub(crate) mod result;
pub(crate) mod task;
pub(crate) mod version;

pub use identity::ClientHints;
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
pub use version::UnknownProtocolVersion;

use crate::Content;
use crate::arguments::nullable::present;
pub use crate::output::content::Annotations;
use crate::schema::normalise::{NullablePlace, set_nullable, take_nullable};

/// The definition of a tool, as an element of a `tools/list` result.
///
/// ```
/// use mcp_tool_runtime::{json, mcp, serde_json};
///
/// let tool = mcp::Tool::new("now", "Get the current time.", json!({"type": "object", "additionalProperties": false}))
///     .with_title("Clock")
///     .with_annotations(mcp::ToolAnnotations::default().with_read_only_hint(true));
/// assert_eq!(
///     serde_json::to_value(&tool)?,
///     json!({
///         "name": "now",
///         "title": "Clock",
///         "description": "Get the current time.",
///         "inputSchema": {"type": "object", "additionalProperties": false},
///         "annotations": {"readOnlyHint": true},
///     }),
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
#[must_use]
pub struct Tool {
    /// The name that calls use.
    pub name: String,
    /// The display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The description for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Icons for display, sent from protocol version 2025-11-25 on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// The JSON Schema of the arguments.
    pub input_schema: Value,
    /// The JSON Schema of the structured result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// Hints about the behaviour of the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<ToolAnnotations>,
    /// The metadata of the tool: your own entries, and hints for clients.
    #[serde(default, rename = "_meta", skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
    /// The properties whose type accepts a `null` that the input schema does not publish. Empty once the dispatcher is
    /// built.
    #[serde(skip)]
    pub(crate) nullable: Vec<NullablePlace>,
}

impl Tool {
    /// Creates a definition with a name, a description and the JSON Schema of the arguments.
    pub fn new(name: impl Into<String>, description: impl Into<String>, input_schema: Value) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: Some(description.into()),
            icons: Vec::new(),
            input_schema,
            output_schema: None,
            annotations: None,
            meta: Map::new(),
            nullable: Vec::new(),
        }
    }

    /// Marks the nullable properties in the input schema. [`Self::unmark_nullable`] or [`Self::forget_nullable`] must
    /// follow.
    pub(crate) fn mark_nullable(&mut self) {
        set_nullable(&mut self.input_schema, &self.nullable, true);
    }

    /// Removes the marks from the input schema, and forgets where they were.
    pub(crate) fn forget_nullable(&mut self) {
        set_nullable(&mut self.input_schema, &std::mem::take(&mut self.nullable), false);
    }

    /// Removes the marks after the input schema has changed, and remembers where they are now.
    pub(crate) fn unmark_nullable(&mut self) {
        if !self.nullable.is_empty() {
            self.nullable = take_nullable(&mut self.input_schema);
        }
    }

    /// Sets the display name.
    pub fn with_title(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    /// Sets the JSON Schema of the structured result.
    pub fn with_output_schema(self, schema: Value) -> Self {
        Self { output_schema: Some(schema), ..self }
    }

    /// Sets the hints about the behaviour of the tool.
    pub fn with_annotations(self, annotations: ToolAnnotations) -> Self {
        Self { annotations: Some(annotations), ..self }
    }

    /// Adds an icon.
    pub fn with_icon(mut self, icon: Icon) -> Self {
        self.icons.push(icon);
        self
    }

    /// Adds an entry to the definition's `_meta`.
    pub fn with_meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }
}

/// Hints about the behaviour of a tool. A client must not trust them more than it trusts the server.
///
/// ```
/// use mcp_tool_runtime::{json, mcp::ToolAnnotations, serde_json};
///
/// let hints = ToolAnnotations::default().with_read_only_hint(false).with_idempotent_hint(true);
/// assert_eq!(serde_json::to_value(hints)?, json!({"readOnlyHint": false, "idempotentHint": true}));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
#[must_use]
pub struct ToolAnnotations {
    /// A display name. Newer versions of the protocol use [`Tool::title`] instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// `true` if the tool changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// `true` if the tool may change or delete existing data, `false` if it only adds data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// `true` if repeating a call with the same arguments has no further effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// `true` if the tool interacts with external systems, such as the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl ToolAnnotations {
    /// Returns the hints that are `true`, in words.
    pub(crate) fn words(&self) -> Vec<&'static str> {
        let all = [
            (self.read_only_hint, "read-only"),
            (self.destructive_hint, "destructive"),
            (self.idempotent_hint, "idempotent"),
            (self.open_world_hint, "open-world"),
        ];
        all.into_iter().filter(|(hint, _)| *hint == Some(true)).map(|(_, word)| word).collect()
    }

    /// Sets whether the tool changes nothing.
    pub fn with_read_only_hint(self, hint: bool) -> Self {
        Self { read_only_hint: Some(hint), ..self }
    }

    /// Sets whether the tool may change or delete existing data.
    pub fn with_destructive_hint(self, hint: bool) -> Self {
        Self { destructive_hint: Some(hint), ..self }
    }

    /// Sets whether repeating a call with the same arguments has no further effect.
    pub fn with_idempotent_hint(self, hint: bool) -> Self {
        Self { idempotent_hint: Some(hint), ..self }
    }

    /// Sets whether the tool interacts with external systems.
    pub fn with_open_world_hint(self, hint: bool) -> Self {
        Self { open_world_hint: Some(hint), ..self }
    }
}

/// An icon for display.
///
/// ```
/// use mcp_tool_runtime::{json, mcp::Icon, serde_json};
///
/// let icon = Icon::new("https://example.com/i.png").with_mime_type("image/png").with_sizes(["48x48"]);
/// assert_eq!(
///     serde_json::to_value(icon)?,
///     json!({"src": "https://example.com/i.png", "mimeType": "image/png", "sizes": ["48x48"]}),
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
#[must_use]
pub struct Icon {
    /// The `https:` or `data:` URI of the image.
    pub src: String,
    /// The media type of the image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The sizes of the image, such as `48x48` or `any`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
    /// The theme that the icon is made for: `light` or `dark`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
}

impl Icon {
    /// Creates an icon from a URI.
    pub fn new(src: impl Into<String>) -> Self {
        Self { src: src.into(), mime_type: None, sizes: Vec::new(), theme: None }
    }

    /// Sets the media type of the image.
    pub fn with_mime_type(self, mime_type: impl Into<String>) -> Self {
        Self { mime_type: Some(mime_type.into()), ..self }
    }

    /// Sets the sizes of the image.
    pub fn with_sizes<S: Into<String>>(self, sizes: impl IntoIterator<Item = S>) -> Self {
        Self { sizes: sizes.into_iter().map(Into::into).collect(), ..self }
    }

    /// Sets the theme that the icon is made for.
    pub fn with_theme(self, theme: impl Into<String>) -> Self {
        Self { theme: Some(theme.into()), ..self }
    }
}

/// The result of a `tools/call` request, in one protocol version.
///
/// [`CallToolResponse::to_mcp`](crate::CallToolResponse::to_mcp) creates it. The structured value is kept as JSON text,
/// so it is serialized only once. Serialize the result with `serde_json`: it writes the structured value and long text
/// as [`RawValue`]s, which other formats do not know.
///
/// ```
/// use mcp_tool_runtime::{mcp::CallToolResult, serde_json, Content};
///
/// let text = r#"{"content":[{"type":"text","text":"15"}],"structuredContent":{"result":15},"isError":false}"#;
/// let result: CallToolResult = serde_json::from_str(text)?;
/// assert_eq!(result.structured_content.as_ref().map(|value| value.get()), Some(r#"{"result":15}"#));
/// assert_eq!(serde_json::to_string(&result)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct CallToolResult {
    /// `complete`, or `input_required` if the user must answer questions first. Exists from protocol version 2026-07-28
    /// on.
    pub result_type: Option<String>,
    /// The content blocks. Empty if the user must answer questions first.
    pub content: Vec<Content>,
    /// The structured value.
    #[serde(deserialize_with = "present")]
    pub structured_content: Option<Box<RawValue>>,
    /// `true` if the call failed.
    pub is_error: Option<bool>,
    /// Metadata: the call's id and duration, and the entries that the tool and the server add.
    #[serde(rename = "_meta")]
    pub meta: Map<String, Value>,
    /// The questions that the user must answer first, by key (feature `ask`).
    pub input_requests: Option<Map<String, Value>>,
    /// The state that the client must send back with the answers (feature `ask`).
    pub request_state: Option<String>,
}

/// Omits absent properties. Every complete result has `content`, and no other result has it.
impl Serialize for CallToolResult {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_complete = self.result_type.as_deref() != Some("input_required");
        let mut fields = serializer.serialize_map(None)?;
        if let Some(result_type) = &self.result_type {
            fields.serialize_entry("resultType", result_type)?;
        }
        if let Some(requests) = &self.input_requests {
            fields.serialize_entry("inputRequests", requests)?;
        }
        if let Some(state) = &self.request_state {
            fields.serialize_entry("requestState", state)?;
        }
        if is_complete {
            fields.serialize_entry("content", &result::Blocks(&self.content))?;
        }
        if let Some(value) = &self.structured_content {
            fields.serialize_entry("structuredContent", value)?;
        }
        if let Some(is_error) = &self.is_error {
            fields.serialize_entry("isError", is_error)?;
        }
        if !self.meta.is_empty() {
            fields.serialize_entry("_meta", &self.meta)?;
        }
        fields.end()
    }
}

/// Who may cache the list of tools. See [`DispatcherBuilder::list_scope`](crate::DispatcherBuilder::list_scope).
///
/// ```
/// use mcp_tool_runtime::{Dispatcher, ProtocolVersion, mcp::CacheScope};
///
/// let dispatcher = Dispatcher::builder().list_scope(CacheScope::Public).build()?;
/// let list = String::from_utf8_lossy(dispatcher.list_json(ProtocolVersion::LATEST));
/// assert!(list.contains(r#""cacheScope":"public""#));
/// # Ok::<(), mcp_tool_runtime::BuildError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum CacheScope {
    /// Everybody, because the list is the same for all callers.
    Public,
    /// Only the client that requested the list.
    #[default]
    Private,
}
