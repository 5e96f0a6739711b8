//! Content blocks about resources.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Content, Extra, Role};

/// A link to a resource that the client can read.
///
/// ```
/// use mcp_tool_runtime::{json, serde_json, Content, ResourceLink};
///
/// let link = ResourceLink::new("file:///notes/1.md", "1.md").with_mime_type("text/markdown");
/// assert_eq!(
///     serde_json::to_value(Content::from(link))?,
///     json!({"type": "resource_link", "uri": "file:///notes/1.md", "name": "1.md", "mimeType": "text/markdown"}),
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[must_use]
pub struct ResourceLink {
    pub(super) uri: String,
    pub(super) name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(flatten)]
    pub(super) extra: Extra,
}

impl ResourceLink {
    /// Creates a link to the resource with this URI and name.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            title: None,
            description: None,
            mime_type: None,
            size: None,
            extra: Extra::default(),
        }
    }

    /// Sets the title that people see.
    pub fn with_title(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    /// Sets the description of the resource.
    pub fn with_description(self, description: impl Into<String>) -> Self {
        Self { description: Some(description.into()), ..self }
    }

    /// Sets the media type of the resource.
    pub fn with_mime_type(self, mime_type: impl Into<String>) -> Self {
        Self { mime_type: Some(mime_type.into()), ..self }
    }

    /// Sets the size of the resource, in bytes.
    pub fn with_size(self, bytes: u64) -> Self {
        Self { size: Some(bytes), ..self }
    }
}

extras!(ResourceLink);

/// A resource whose content is part of the result.
///
/// ```
/// use mcp_tool_runtime::{json, serde_json, Content, EmbeddedResource};
///
/// let block = EmbeddedResource::text("memo://1", "Buy milk").with_mime_type("text/plain");
/// assert_eq!(
///     serde_json::to_value(Content::from(block))?,
///     json!({"type": "resource", "resource": {"uri": "memo://1", "mimeType": "text/plain", "text": "Buy milk"}}),
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[must_use]
pub struct EmbeddedResource {
    pub(super) resource: ResourceContents,
    #[serde(flatten)]
    pub(super) extra: Extra,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResourceContents {
    pub(super) uri: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mime_type: Option<String>,
    #[serde(flatten)]
    pub(super) body: ResourceBody,
    #[serde(default, rename = "_meta", skip_serializing_if = "Map::is_empty")]
    pub(super) meta: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum ResourceBody {
    Text(String),
    Blob(String),
}

impl EmbeddedResource {
    fn new(uri: String, body: ResourceBody) -> Self {
        let resource = ResourceContents { uri, mime_type: None, body, meta: Map::new() };
        Self { resource, extra: Extra::default() }
    }

    /// Creates a resource with text content.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(uri.into(), ResourceBody::Text(text.into()))
    }

    /// Creates a resource with binary content. The bytes are encoded as base64.
    pub fn blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::new(uri.into(), ResourceBody::Blob(STANDARD.encode(bytes)))
    }

    /// Sets the media type of the resource.
    pub fn with_mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.resource.mime_type = Some(mime_type.into());
        self
    }
}

extras!(EmbeddedResource);
