//! Content blocks: the parts of a result that a model or a user sees.
//!
//! `resource` has the blocks about resources.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A reader for whom a content block is intended.
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

/// Hints for the client about a content block, such as its audience and its importance.
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
            pub fn with_audience(mut self, audience: impl IntoIterator<Item = Role>) -> Self {
                self.extra.annotations.get_or_insert_default().audience = audience.into_iter().collect();
                self
            }

            /// Sets the importance of the block, from 0 to 1. Any other number makes the call fail with an error
            /// result.
            pub fn with_priority(mut self, priority: f64) -> Self {
                self.extra.annotations.get_or_insert_default().priority = Some(priority);
                self
            }

            /// Adds an entry to the block's `_meta`.
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

// The module `resource` uses the macro `extras` too, so it must be declared below the macro.
mod resource;

pub use resource::{EmbeddedResource, ResourceLink};
use resource::{ResourceBody, ResourceContents};

/// A block of text.
///
/// Return `Text` if the result is only meant to be read. A `String` is also sent as a structured value, and from
/// protocol version 2026-07-28 on its text block is a JSON string, in quotes.
///
/// ```
/// use mcp_tool_runtime::{json, serde_json, Content, Text};
///
/// let block = Content::from(Text::new("72 °F, partly cloudy"));
/// assert_eq!(serde_json::to_value(block)?, json!({"type": "text", "text": "72 °F, partly cloudy"}));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[must_use]
pub struct Text {
    text: String,
    #[serde(flatten)]
    extra: Extra,
}

impl Text {
    /// Creates a text block.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), extra: Extra::default() }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns `true` if the block has no annotations and no `_meta`.
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
#[must_use]
pub struct Image {
    data: String,
    mime_type: String,
    #[serde(flatten)]
    extra: Extra,
}

impl Image {
    /// Creates an image. The media type must be `image/…`, such as `image/png`. Otherwise the call fails with an error
    /// result.
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
#[must_use]
pub struct Audio {
    data: String,
    mime_type: String,
    #[serde(flatten)]
    extra: Extra,
}

impl Audio {
    /// Creates an audio block. The media type must be `audio/…`, such as `audio/wav`. Otherwise the call fails with an
    /// error result.
    pub fn new(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self { data: STANDARD.encode(bytes), mime_type: mime_type.into(), extra: Extra::default() }
    }
}

extras!(Audio);

/// A content block of a result.
///
/// ```
/// use mcp_tool_runtime::{Content, Text};
///
/// let blocks: Vec<Content> = vec![Text::new("one").into(), Text::new("two").into()];
/// assert!(matches!(&blocks[0], Content::Text(text) if text.text() == "one"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// A block of text.
    Text(Text),
    /// An image.
    Image(Image),
    /// Audio.
    Audio(Audio),
    /// A link to a resource.
    ResourceLink(ResourceLink),
    /// A resource whose content is part of the result.
    #[serde(rename = "resource")]
    EmbeddedResource(EmbeddedResource),
}

impl Content {
    /// Returns the text of a text block, or of an embedded resource with text.
    pub(crate) fn text_for_model(&self) -> Option<&str> {
        match self {
            Self::Text(block) => Some(&block.text),
            Self::EmbeddedResource(EmbeddedResource {
                resource: ResourceContents { body: ResourceBody::Text(text), .. },
                ..
            }) => Some(text),
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

    /// Returns the `_meta` of the block and, if it is an embedded resource, that of the resource.
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
}

// How content is shown outside the protocol: to model vendors (feature `export`) and to people (feature `cli`).
impl Content {
    /// Returns the media type and the base64 data of an image, which may be an embedded resource.
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

    /// Returns the block as text. An image, audio or a binary resource becomes a note in brackets, and a link becomes a
    /// Markdown link.
    pub(crate) fn to_text(&self) -> String {
        let bytes = |data: &str| data.trim_end_matches('=').len() * 3 / 4;
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
        let priority = self.extra().annotations.as_ref().and_then(|annotations| annotations.priority);
        match self {
            Self::Image(block) if !is_media_type(&block.mime_type, "image") => {
                Some("the media type of an image must be `image/…`")
            }
            Self::Audio(block) if !is_media_type(&block.mime_type, "audio") => {
                Some("the media type of a sound must be `audio/…`")
            }
            _ if priority.is_some_and(|priority| !(0.0..=1.0).contains(&priority)) => {
                Some("a priority must be from 0 to 1")
            }
            _ => None,
        }
    }
}

fn is_media_type(text: &str, family: &str) -> bool {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte);
    text.split_once('/').is_some_and(|(kind, rest)| {
        let subtype = rest.split(';').next().unwrap_or_default().trim_end();
        kind.eq_ignore_ascii_case(family) && !subtype.is_empty() && subtype.bytes().all(token)
    })
}
