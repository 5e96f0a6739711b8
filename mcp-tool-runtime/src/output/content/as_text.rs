//! What readers of plain text see of a content block: some model vendors (feature `export`), and people (feature `cli`).

use super::resource::ResourceBody;
use super::{Content, EmbeddedResource};

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

    /// Returns the block as a text. An image, audio or a file becomes a note in brackets.
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
