//! The text of a question.
//!
//! A question shows arguments, and a model writes them. The model must not be able to add lines that look like the
//! tool's own words, to hide a part of the text, or to push the end of the question out of sight.

#![allow(missing_docs, reason = "the methods are hidden, and only generated code calls them")]

use std::fmt::Write as _;

use crate::json::violation::is_invisible;

/// The variation selector (VS16) that shows the symbol before it as an emoji.
const EMOJI_SELECTOR: char = '\u{fe0f}';

/// The maximum number of characters of a value that a placeholder shows.
const MAX_PLACEHOLDER_CHARS: usize = 200;

/// The maximum number of characters of a whole message, not counting the `…` that ends a truncated one.
const MAX_MESSAGE_CHARS: usize = 4_000;

/// Puts text that a model wrote into quotes, for the message of a question function.
///
/// At most 200 characters are shown. Line breaks, invisible characters, quotes and backslashes are escaped, so the text
/// cannot pass for your own words. A string in `ask = "…"` needs no `quote`: `{name:?}` does the same.
///
/// ```
/// use mcp_tool_runtime::ask::quote;
/// use mcp_tool_runtime::{Ask, Consent};
///
/// fn before_deleting(name: &str) -> Ask<Consent> {
///     Ask::new(format!("Delete the note {}?", quote(name)))
/// }
///
/// assert_eq!(quote("milk\" and\nbread"), r#""milk\" and\nbread""#);
/// assert!(quote(&"x".repeat(5_000)).ends_with("x…\""));
/// # let _ = before_deleting("milk");
/// ```
pub fn quote(text: &str) -> String {
    let mut quoted = Message(String::from('"')).value(text).0;
    quoted.push('"');
    quoted
}

/// The message of a question, built from the author's text and the values of placeholders.
#[derive(Debug, Default)]
#[must_use]
pub struct Message(String);

impl Message {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the author's text.
    pub fn text(mut self, text: &str) -> Self {
        self.0.push_str(text);
        self
    }

    /// Adds the value of a placeholder, truncated and escaped. If the author has opened a quote before it, the value
    /// cannot close that quote.
    pub fn value(mut self, value: &str) -> Self {
        let closing = self.0.chars().next_back().and_then(closing_quote);
        let mut characters = value.chars();
        for character in characters.by_ref().take(MAX_PLACEHOLDER_CHARS) {
            if closing.is_some() && (character == '\\' || Some(character) == closing) {
                self.0.push('\\');
            }
            push(&mut self.0, character, true);
        }
        if characters.next().is_some() {
            self.0.push('…');
        }
        self
    }

    pub fn question<T>(self) -> crate::Ask<T> {
        crate::Ask::with_message(self.0)
    }

    /// Returns a value as a placeholder shows it.
    pub(super) fn shown(value: &str) -> String {
        Self::new().value(value).0
    }
}

/// Checks the text of `ask = CONSTANT` at compile time, and returns it.
///
/// # Panics
///
/// While compiling, if the text is empty, or has braces, which would not be placeholders.
pub const fn plain_question(text: &'static str) -> &'static str {
    assert!(!text.is_empty(), "the question is empty\nhelp: write what the user is asked");
    let mut index = 0;
    while index < text.len() {
        let is_brace = matches!(text.as_bytes()[index], b'{' | b'}');
        assert!(!is_brace, "a question in a constant has no placeholders\nhelp: write the text itself: `ask = \"…\"`");
        index += 1;
    }
    text
}

/// Returns the quotation mark that closes a quotation opened with this character, or `None` if it opens none.
fn closing_quote(opening: char) -> Option<char> {
    let pairs = [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('„', '“'), ('‘', '’'), ('«', '»'), ('»', '«')];
    pairs.into_iter().find(|(known, _)| *known == opening).map(|(_, closing)| closing)
}

pub(super) fn bounded(mut message: String) -> String {
    if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE_CHARS) {
        message.truncate(end);
        message.push('…');
    }
    message
}

/// Escapes the control, bidirectional and invisible characters of a message that an author wrote. Keeps `\n`, tabs, and
/// the emoji selector.
pub(super) fn escape_author_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    text.chars().for_each(|character| push(&mut escaped, character, false));
    escaped
}

/// Appends a character, escaped if necessary. In a placeholder, line breaks, tabs and emoji selectors are escaped too.
fn push(text: &mut String, character: char, is_placeholder: bool) {
    match character {
        '\n' | '\t' | EMOJI_SELECTOR if !is_placeholder => text.push(character),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        character if character.is_control() || is_invisible(character) => {
            let _ = write!(text, "\\u{{{:x}}}", u32::from(character));
        }
        character => text.push(character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &str) -> String {
        Message::new().text("Delete ").value(value).text("?").0
    }

    #[test]
    fn a_placeholder_cannot_add_a_line_or_turn_the_text_around() {
        assert_eq!(shown("a\nb\r\tc"), "Delete a\\nb\\r\\tc?");
        assert_eq!(shown("a\u{202e}b\u{2028}c\u{7}"), "Delete a\\u{202e}b\\u{2028}c\\u{7}?");
        assert_eq!(shown("Zoë 你好 👋"), "Delete Zoë 你好 👋?");
    }

    #[test]
    fn invisible_characters_are_escaped() {
        let ranges = [
            0xad..=0xad,
            0x34f..=0x34f,
            0x61c..=0x61c,
            0x115f..=0x1160,
            0x17b4..=0x17b5,
            0x180b..=0x180f,
            0x200b..=0x200f,
            0x2028..=0x202e,
            0x2060..=0x206f,
            0x2800..=0x2800,
            0x3164..=0x3164,
            0xfe00..=0xfe0f,
            0xfeff..=0xfeff,
            0xffa0..=0xffa0,
            0xe0100..=0xe01ef,
        ];
        for character in ranges.into_iter().flatten().filter_map(char::from_u32) {
            let escaped = format!("a\\u{{{:x}}}b", u32::from(character));
            assert_eq!(shown(&format!("a{character}b")), format!("Delete {escaped}?"));
            if character != EMOJI_SELECTOR {
                assert_eq!(escape_author_text(&format!("a{character}b")), escaped);
            }
        }
    }

    #[test]
    fn an_emoji_selector_is_kept_in_the_authors_text_and_escaped_in_a_placeholder() {
        assert_eq!(escape_author_text("⚠\u{fe0f} Delete?"), "⚠\u{fe0f} Delete?");
        assert_eq!(escape_author_text("⚠\u{fe0f}\u{fe0e}"), "⚠\u{fe0f}\\u{fe0e}");
        assert_eq!(shown("⚠\u{fe0f}"), "Delete ⚠\\u{fe0f}?");
    }

    #[test]
    fn a_long_placeholder_is_truncated_with_an_ellipsis() {
        assert_eq!(shown(&"x".repeat(200)), format!("Delete {}?", "x".repeat(200)));
        assert_eq!(shown(&"é".repeat(201)), format!("Delete {}…?", "é".repeat(200)));
    }

    #[test]
    fn line_breaks_of_the_author_are_kept() {
        assert_eq!(escape_author_text("one\ntwo\u{202e}"), "one\ntwo\\u{202e}");
    }
}
