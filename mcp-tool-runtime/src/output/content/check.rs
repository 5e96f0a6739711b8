//! Checks a content block before it is sent.

use super::Content;

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
