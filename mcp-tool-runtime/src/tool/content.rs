//! Content blocks: the parts of a result that a model or a user sees.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The audience of a content block.
///
/// ```
/// use mcp_tool_runtime::{json, serde_json, Role};
///
/// assert_eq!(serde_json::to_value(Role::Assistant)?, json!("assistant"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// The user.
    User,
    /// The model.
    Assistant,
}

/// Hints for the client about a content block: its audience and its importance.
///
/// ```
/// use mcp_tool_runtime::{json, serde_json, Content, Role, Text};
///
/// let note = Text::new("for the log").with_audience([Role::User]).with_priority(0.2);
/// let block = serde_json::to_value(Content::from(note))?;
/// assert_eq!(block["annotations"], json!({"audience": ["user"], "priority": 0.2}));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// The audience. Empty means not specified.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// The importance, from 0 (optional) to 1 (required).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// The time of the last change, in ISO 8601.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

/// The fields that every kind of block has.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Extra {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    annotations: Option<Annotations>,
    #[serde(default, rename = "_meta", skip_serializing_if = "Map::is_empty")]
    meta: Map<String, Value>,
}

macro_rules! extras {
    ($block:ident) => {
        impl $block {
            /// Sets the audience of the block.
            #[must_use]
            pub fn with_audience(mut self, audience: impl IntoIterator<Item = Role>) -> Self {
                self.extra.annotations.get_or_insert_default().audience = audience.into_iter().collect();
                self
            }

            /// Sets the importance of the block, from 0 to 1. With another number, the call gets an error result.
            #[must_use]
            pub fn with_priority(mut self, priority: f64) -> Self {
                self.extra.annotations.get_or_insert_default().priority = Some(priority);
                self
            }

            /// Adds an entry to the block's `_meta`.
            #[must_use]
            pub fn with_meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
                self.extra.meta.insert(key.into(), value.into());
                self
            }
        }

        impl From<$block> for Content {
            fn from(block: $block) -> Self {
                Self::$block(block)
            }
        }
    };
}

/// A block of text.
///
/// Return a `Text` if the result is only meant to be read. A `String` is a structured value too: since protocol version
/// 2026-07-28 its text block is JSON, with quotes.
///
/// ```
/// use mcp_tool_runtime::{json, serde_json, Content, Text};
///
/// let block = Content::from(Text::new("72 °F, partly cloudy"));
/// assert_eq!(serde_json::to_value(block)?, json!({"type": "text", "text": "72 °F, partly cloudy"}));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Text {
    text: String,
    #[serde(flatten)]
    extra: Extra,
}

impl Text {
    /// Creates a block of this text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), extra: Extra::default() }
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    #[cfg(feature = "rmcp")]
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Returns `true` if the block has no annotations and no `_meta`.
    #[cfg(feature = "rmcp")]
    pub(crate) fn is_plain(&self) -> bool {
        self.extra == Extra::default()
    }
}

extras!(Text);

/// An image. The bytes are encoded as base64.
///
/// ```
/// use mcp_tool_runtime::{json, serde_json, Content, Image};
///
/// let block = Content::from(Image::new(b"\x89PNG", "image/png"));
/// assert_eq!(serde_json::to_value(block)?, json!({"type": "image", "data": "iVBORw==", "mimeType": "image/png"}));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    data: String,
    mime_type: String,
    #[serde(flatten)]
    extra: Extra,
}

impl Image {
    /// Creates an image. The media type must be `image/…`, such as `image/png`. Otherwise the call gets an error result.
    #[must_use]
    pub fn new(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self { data: STANDARD.encode(bytes), mime_type: mime_type.into(), extra: Extra::default() }
    }
}

extras!(Image);

/// Audio. The bytes are encoded as base64.
///
/// ```
/// use mcp_tool_runtime::{json, serde_json, Audio, Content};
///
/// let block = Content::from(Audio::new(b"RIFF", "audio/wav"));
/// assert_eq!(serde_json::to_value(block)?, json!({"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"}));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Audio {
    data: String,
    mime_type: String,
    #[serde(flatten)]
    extra: Extra,
}

impl Audio {
    /// Creates an audio block. The media type must be `audio/…`, such as `audio/wav`. Otherwise the call gets an error result.
    #[must_use]
    pub fn new(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self { data: STANDARD.encode(bytes), mime_type: mime_type.into(), extra: Extra::default() }
    }
}

extras!(Audio);

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
pub struct ResourceLink {
    uri: String,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(flatten)]
    extra: Extra,
}

impl ResourceLink {
    /// Creates a link to the resource with this URI and name.
    #[must_use]
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

    /// Sets the title for display.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the description of the resource.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets the media type of the resource.
    #[must_use]
    pub fn with_mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets the size of the resource, in bytes.
    #[must_use]
    pub fn with_size(mut self, bytes: u64) -> Self {
        self.size = Some(bytes);
        self
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
pub struct EmbeddedResource {
    resource: ResourceContents,
    #[serde(flatten)]
    extra: Extra,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResourceContents {
    uri: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mime_type: Option<String>,
    #[serde(flatten)]
    body: ResourceBody,
    #[serde(default, rename = "_meta", skip_serializing_if = "Map::is_empty")]
    meta: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum ResourceBody {
    Text(String),
    Blob(String),
}

impl EmbeddedResource {
    fn new(uri: String, body: ResourceBody) -> Self {
        let resource = ResourceContents { uri, mime_type: None, body, meta: Map::new() };
        Self { resource, extra: Extra::default() }
    }

    /// Creates a resource with text content.
    #[must_use]
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::new(uri.into(), ResourceBody::Text(text.into()))
    }

    /// Creates a resource with binary content. The bytes are encoded as base64.
    #[must_use]
    pub fn blob(uri: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::new(uri.into(), ResourceBody::Blob(STANDARD.encode(bytes)))
    }

    /// Sets the media type of the resource.
    #[must_use]
    pub fn with_mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.resource.mime_type = Some(mime_type.into());
        self
    }
}

extras!(EmbeddedResource);

/// One content block of a result.
///
/// ```
/// use mcp_tool_runtime::{Content, Text};
///
/// let blocks: Vec<Content> = vec![Text::new("one").into(), Text::new("two").into()];
/// assert!(matches!(&blocks[0], Content::Text(text) if text.text() == "one"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
#[non_exhaustive]
pub enum Content {
    /// A text.
    #[serde(rename = "text")]
    Text(Text),
    /// An image.
    #[serde(rename = "image")]
    Image(Image),
    /// Audio.
    #[serde(rename = "audio")]
    Audio(Audio),
    /// A link to a resource.
    #[serde(rename = "resource_link")]
    ResourceLink(ResourceLink),
    /// A resource.
    #[serde(rename = "resource")]
    EmbeddedResource(EmbeddedResource),
}

#[cfg(feature = "export")]
impl Content {
    /// Returns the media type and the base64 data of an image, also of one that is an embedded resource.
    pub(crate) fn image(&self) -> Option<(&str, &str)> {
        match self {
            Self::Image(block) => Some((&block.mime_type, &block.data)),
            Self::EmbeddedResource(EmbeddedResource { resource, .. }) => match (&resource.mime_type, &resource.body) {
                (Some(mime_type), ResourceBody::Blob(data)) if mime_type.starts_with("image/") => {
                    Some((mime_type, data))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the block as a text for a model that reads nothing else. It says what cannot be shown.
    pub(crate) fn to_text(&self) -> String {
        let bytes = |data: &str| data.len() / 4 * 3;
        match self {
            Self::Text(block) => block.text.clone(),
            Self::Image(block) => format!("[image of type {}, {} bytes]", block.mime_type, bytes(&block.data)),
            Self::Audio(block) => format!("[audio of type {}, {} bytes]", block.mime_type, bytes(&block.data)),
            Self::ResourceLink(link) => {
                let description = link.description.as_ref().map_or_else(String::new, |text| format!(": {text}"));
                format!("[{}]({}){description}", link.title.as_ref().unwrap_or(&link.name), link.uri)
            }
            Self::EmbeddedResource(EmbeddedResource { resource, .. }) => match &resource.body {
                ResourceBody::Text(text) => format!("[{}]\n{text}", resource.uri),
                ResourceBody::Blob(data) => {
                    let mime_type = resource.mime_type.as_deref().unwrap_or("application/octet-stream");
                    format!("[{}: {mime_type}, {} bytes]", resource.uri, bytes(data))
                }
            },
        }
    }
}

impl Content {
    /// Returns what is wrong with the block, if it cannot be sent.
    pub(crate) fn error(&self) -> Option<&'static str> {
        match self {
            Self::Image(block) if !is_media_type(&block.mime_type, "image") => {
                return Some("the media type of an image must be `image/…`");
            }
            Self::Audio(block) if !is_media_type(&block.mime_type, "audio") => {
                return Some("the media type of a sound must be `audio/…`");
            }
            _ => {}
        }
        let priority = self.extra().annotations.as_ref().and_then(|annotations| annotations.priority);
        match priority {
            Some(priority) if !(0.0..=1.0).contains(&priority) => Some("a priority must be from 0 to 1"),
            _ => None,
        }
    }

    fn extra(&self) -> &Extra {
        match self {
            Self::Text(block) => &block.extra,
            Self::Image(block) => &block.extra,
            Self::Audio(block) => &block.extra,
            Self::ResourceLink(block) => &block.extra,
            Self::EmbeddedResource(block) => &block.extra,
        }
    }

    /// Returns each `_meta` in the block.
    pub(crate) fn meta_mut(&mut self) -> impl Iterator<Item = &mut Map<String, Value>> {
        let (extra, of_resource) = match self {
            Self::Text(block) => (&mut block.extra, None),
            Self::Image(block) => (&mut block.extra, None),
            Self::Audio(block) => (&mut block.extra, None),
            Self::ResourceLink(block) => (&mut block.extra, None),
            Self::EmbeddedResource(block) => (&mut block.extra, Some(&mut block.resource.meta)),
        };
        std::iter::once(&mut extra.meta).chain(of_resource)
    }

    /// Returns the values of all `_meta` in the block.
    pub(crate) fn meta(&self) -> impl Iterator<Item = &Value> {
        let of_resource = match self {
            Self::EmbeddedResource(block) => Some(&block.resource.meta),
            _ => None,
        };
        self.extra().meta.values().chain(of_resource.into_iter().flat_map(Map::values))
    }
}

fn is_media_type(text: &str, family: &str) -> bool {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte);
    text.split_once('/').is_some_and(|(kind, rest)| {
        let subtype = rest.split(';').next().unwrap_or_default().trim_end();
        kind.eq_ignore_ascii_case(family) && !subtype.is_empty() && subtype.bytes().all(token)
    })
}
