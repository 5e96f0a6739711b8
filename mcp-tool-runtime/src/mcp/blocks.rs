//! Serializes the content blocks of a result.
//!
//! This crate escapes a long text itself. When `serde_json` does so, a call of the benchmark `value-search` takes 13 %
//! more instructions, one of `value-order` 8 %, and one of `value-text` 29 %.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::json::writer::{quote, raw_json};
use crate::{Content, Text};

/// The length from which a text counts as long. Copying pays off from about 96 bytes for JSON and 300 for prose; this
/// is a compromise.
const LONG: usize = 192;

/// The content blocks of a result.
pub(super) struct Blocks<'a>(pub(super) &'a [Content]);

impl Serialize for Blocks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Block))
    }
}

struct Block<'a>(&'a Content);

impl Serialize for Block<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Content::Text(text) if text.text().len() >= LONG && text.is_plain() => {
                let mut block = serializer.serialize_map(Some(2))?;
                block.serialize_entry("type", "text")?;
                block.serialize_entry("text", &LongText(text))?;
                block.end()
            }
            other => other.serialize(serializer),
        }
    }
}

struct LongText<'a>(&'a Text);

impl Serialize for LongText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.0.text();
        // Leave room for JSON escapes.
        let mut json = Vec::with_capacity(text.len() + text.len() / 4);
        quote(text, &mut json);
        match std::str::from_utf8(&json).ok().and_then(raw_json) {
            Some(json) => json.serialize(serializer),
            None => text.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::to_string_pretty;

    use super::*;
    use crate::Role;

    #[test]
    fn a_block_is_written_as_the_type_itself_is_written() {
        let json = r#"{"name":"☃\n","path":"C:\\"},"#;
        for length in [LONG - 1, LONG, 5_000] {
            for character in ['x', '"', '\\', '\n', '\u{1}', '☃', '\u{1F600}'] {
                let length = length - character.len_utf8();
                let rest = "x".repeat(length % json.len());
                let text = format!("{character}{}{rest}", json.repeat(length / json.len()));
                let plain = Content::from(Text::new(text.clone()));
                let annotated = Text::new(text).with_audience([Role::User]).into();
                let blocks = [plain, annotated];
                let pretty = to_string_pretty(&Blocks(&blocks)).expect("JSON");
                assert_eq!(pretty, to_string_pretty(&blocks).expect("JSON"));
                let value = serde_json::to_value(Blocks(&blocks)).expect("JSON");
                assert_eq!(value, serde_json::to_value(&blocks).expect("JSON"));
            }
        }
    }
}
