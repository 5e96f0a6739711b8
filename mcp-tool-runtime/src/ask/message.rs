//! The text of a question.
//!
//! A model writes the arguments that a question shows. It must not be able to add lines that look like the tool's own
//! words, to hide a part of the text, or to push the end of the question out of sight.

#![allow(missing_docs, reason = "generated code alone calls what has no documentation, and it is hidden")]

use std::fmt::Write as _;

/// The number of characters of one placeholder.
const MAX_CHARS: usize = 200;

/// The message of `ask = "…"`, piece by piece.
#[derive(Debug, Default)]
pub struct Message(String);

impl Message {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the author's text.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.0.push_str(text);
        self
    }

    /// Adds the text of a placeholder, cut and escaped.
    #[must_use]
    pub fn value(mut self, value: &str) -> Self {
        let mut characters = value.chars();
        characters.by_ref().take(MAX_CHARS).for_each(|character| push(&mut self.0, character, true));
        if characters.next().is_some() {
            self.0.push('…');
        }
        self
    }

    #[must_use]
    pub fn question<T>(self) -> crate::Ask<T> {
        crate::Ask::with_message(self.0)
    }
}

/// Escapes the control and bidirectional characters of a message that an author wrote, except line breaks and tabs.
pub(super) fn escape_lines(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    text.chars().for_each(|character| push(&mut escaped, character, false));
    escaped
}

fn push(text: &mut String, character: char, escapes_lines: bool) {
    match character {
        '\n' | '\t' if !escapes_lines => text.push(character),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        character if character.is_control() || is_invisible(character) => {
            let _ = write!(text, "\\u{{{:x}}}", u32::from(character));
        }
        character => text.push(character),
    }
}

/// Returns `true` for characters that break lines, change the direction of the text, or are not visible.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    )
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
    fn a_placeholder_is_cut_and_says_so() {
        assert_eq!(shown(&"x".repeat(200)), format!("Delete {}?", "x".repeat(200)));
        assert_eq!(shown(&"é".repeat(201)), format!("Delete {}…?", "é".repeat(200)));
    }

    #[test]
    fn the_lines_of_an_author_stay() {
        assert_eq!(escape_lines("one\ntwo\u{202e}"), "one\ntwo\\u{202e}");
    }
}
