//! The Model Context Protocol's own documents: tool definitions and call results.
//!
//! The types here are the protocol's, field for field, and read as well as write. A member that is absent is left out
//! and never `null` (rule T13: a `null` title, schema or annotation makes clients drop the whole list).

pub(crate) mod result;
pub(crate) mod version;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::Content;

/// The definition of a tool, as `tools/list` sends it.
///
/// ```
/// use mcp_tool_runtime::{json, mcp, serde_json};
///
/// let tool = mcp::Tool::new("now", "Tell the time.", json!({"type": "object", "additionalProperties": false}))
///     .with_title("Clock")
///     .with_annotations(mcp::ToolAnnotations::default().with_read_only_hint(true));
/// assert_eq!(
///     serde_json::to_value(&tool)?,
///     json!({
///         "name": "now",
///         "title": "Clock",
///         "description": "Tell the time.",
///         "inputSchema": {"type": "object", "additionalProperties": false},
///         "annotations": {"readOnlyHint": true},
///     }),
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Tool {
    /// The name by which the tool is called.
    pub name: String,
    /// The name for display.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the tool does, for a model to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Icons for display; sent from 2025-11-25 on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub icons: Vec<Icon>,
    /// The JSON Schema of the arguments.
    pub input_schema: Value,
    /// The JSON Schema of the structured result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// Hints on what the tool does to the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<ToolAnnotations>,
    /// The author's own metadata.
    #[serde(default, rename = "_meta", skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

impl Tool {
    /// A tool of this name that takes arguments of this schema.
    #[must_use]
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
        }
    }

    /// The name for display.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The JSON Schema of the structured result.
    #[must_use]
    pub fn with_output_schema(mut self, schema: Value) -> Self {
        self.output_schema = Some(schema);
        self
    }

    /// Hints on what the tool does to the world.
    #[must_use]
    pub fn with_annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Adds an icon.
    #[must_use]
    pub fn with_icon(mut self, icon: Icon) -> Self {
        self.icons.push(icon);
        self
    }

    /// Adds an entry to the definition's `_meta`.
    #[must_use]
    pub fn with_meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }
}

/// Hints on what a tool does to the world. A client must not trust them further than it trusts the server.
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
pub struct ToolAnnotations {
    /// A name for display, older than the title of the tool itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The tool changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// The tool may destroy what was there, not only add to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Calling again with the same arguments changes nothing more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// The tool reaches things outside, such as the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl ToolAnnotations {
    /// Says whether the tool changes nothing.
    #[must_use]
    pub fn with_read_only_hint(mut self, hint: bool) -> Self {
        self.read_only_hint = Some(hint);
        self
    }

    /// Says whether the tool may destroy what was there.
    #[must_use]
    pub fn with_destructive_hint(mut self, hint: bool) -> Self {
        self.destructive_hint = Some(hint);
        self
    }

    /// Says whether calling again changes nothing more.
    #[must_use]
    pub fn with_idempotent_hint(mut self, hint: bool) -> Self {
        self.idempotent_hint = Some(hint);
        self
    }

    /// Says whether the tool reaches things outside.
    #[must_use]
    pub fn with_open_world_hint(mut self, hint: bool) -> Self {
        self.open_world_hint = Some(hint);
        self
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
pub struct Icon {
    /// Where the picture is: an `https:` or a `data:` URI.
    pub src: String,
    /// Its media type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// The sizes it has, each `WxH`, or `any`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<String>,
    /// The theme it is for: `light` or `dark`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
}

impl Icon {
    /// The icon at this URI.
    #[must_use]
    pub fn new(src: impl Into<String>) -> Self {
        Self { src: src.into(), mime_type: None, sizes: Vec::new(), theme: None }
    }

    /// The picture's media type.
    #[must_use]
    pub fn with_mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// The sizes it has.
    #[must_use]
    pub fn with_sizes<S: Into<String>>(mut self, sizes: impl IntoIterator<Item = S>) -> Self {
        self.sizes = sizes.into_iter().map(Into::into).collect();
        self
    }

    /// The theme it is for.
    #[must_use]
    pub fn with_theme(mut self, theme: impl Into<String>) -> Self {
        self.theme = Some(theme.into());
        self
    }
}

/// The result of a call, in the shape of one protocol version.
///
/// [`CallToolResponse::to_mcp`](crate::CallToolResponse::to_mcp) makes it. The structured value is kept as the bytes
/// that the tool's value was written to, and spliced in.
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
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallToolResult {
    /// `complete` from 2026-07-28 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_type: Option<String>,
    /// The blocks.
    pub content: Vec<Content>,
    /// The structured value.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub structured_content: Option<Box<RawValue>>,
    /// Whether the call failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    /// Metadata: the call's id, its duration, and what the author and the server add.
    #[serde(default, rename = "_meta", skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

/// A member that is there, also when it is `null`.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(Some)
}

/// Who may keep a list of tools: see [`DispatcherBuilder::list_scope`](crate::DispatcherBuilder::list_scope).
///
/// ```
/// use mcp_tool_runtime::{CacheScope, Dispatcher, ProtocolVersion};
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
    /// Anybody: the list is the same for all.
    Public,
    /// The one who asked.
    #[default]
    Private,
}
