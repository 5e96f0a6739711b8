//! Removes the values of a document from messages that the author of a type wrote (rule I1).
//!
//! Such messages often quote the refused value, which may be a secret. If the search would take too long, the whole
//! message is replaced.

use serde_json::Value;
use std::collections::HashSet;

use crate::json::tape::{Item, View};
use crate::json::violation::{escape_multiline, truncate_text};

/// The length in characters up to which a value is removed only as a separate word: `a` is part of many words.
const SHORT: usize = 3;

/// The length in bytes from which a part of a string is removed too, because a message may quote the start of a long
/// value.
const PART: usize = 12;

/// The maximum number of steps in a search. Looking for one text takes as many steps as the message has bytes.
/// A step takes less than a nanosecond.
const MAX_STEPS: usize = 16 * 1_024 * 1_024;

/// The length in bytes to which a message is truncated before it is searched for parts of strings.
const MAX_SEARCHED: usize = 4_096;

/// The length in bytes to which a message is truncated before it is sent.
const MAX_MESSAGE: usize = 2_048;

/// Replaces the strings and numbers of `value` in the message, and long parts of its strings, with `…`. Truncates a
/// long message. If the search takes too many steps, replaces the whole message.
pub(super) fn redact(message: String, value: View<'_>) -> String {
    let mut quoted = QuotedScalars { message: &message, steps: 0, texts: HashSet::new(), has_long_string: false };
    if quoted.collect(value).is_none() {
        return "refused by a check of its type".to_owned();
    }
    let QuotedScalars { texts, has_long_string, .. } = quoted;
    let mut texts: Vec<_> = texts.into_iter().collect();
    // Remove longer strings first. If a shorter string inside a longer one went first, the longer one would not be
    // found.
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    let mut message = texts.iter().fold(message, |message, text| remove(&message, text));
    if has_long_string {
        // Whole values have been removed by now. What the message still quotes can only be parts of values.
        message = remove_parts(&truncate_text(&message, MAX_SEARCHED), value);
    }
    escape_multiline(&truncate_text(&message, MAX_MESSAGE)).into_owned()
}

/// The strings and numbers inside a value that a message quotes.
struct QuotedScalars<'m> {
    message: &'m str,
    steps: usize,
    texts: HashSet<String>,
    /// Whether a string is so long that parts of it are removed too.
    has_long_string: bool,
}

impl QuotedScalars<'_> {
    /// Adds those strings and numbers of `value` that the message quotes. Returns `None` if the search takes too many
    /// steps.
    fn collect(&mut self, value: View<'_>) -> Option<()> {
        match value.item() {
            Item::String(text) if !text.is_empty() => {
                self.has_long_string |= text.len() >= PART;
                self.find(&text)?;
                // The message may escape the text as Rust or JSON does.
                if !text.chars().all(is_unescaped) {
                    for escaped in [format!("{text:?}"), Value::from(text.as_ref()).to_string()] {
                        self.find(&escaped[1..escaped.len() - 1])?;
                    }
                }
                Some(())
            }
            Item::Number(number) => self.find(&number.to_json().to_string()),
            Item::Array(mut elements) => elements.try_for_each(|element| self.collect(element)),
            Item::Object(mut properties) => properties.try_for_each(|(_, value)| self.collect(value)),
            _ => Some(()),
        }
    }

    fn find(&mut self, text: &str) -> Option<()> {
        self.steps += self.message.len();
        if self.steps > MAX_STEPS {
            return None;
        }
        if self.message.contains(text) {
            self.texts.insert(text.to_owned());
        }
        Some(())
    }
}

/// Returns `true` for an ASCII character that neither Rust nor JSON ever escapes.
fn is_unescaped(character: char) -> bool {
    (' '..='~').contains(&character) && !matches!(character, '"' | '\\' | '\'')
}

fn remove(message: &str, text: &str) -> String {
    let is_short = text.chars().count() <= SHORT;
    let is_letter = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    let mut redacted = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find(text) {
        let (before, after) = (&rest[..at], &rest[at + text.len()..]);
        redacted.push_str(before);
        let is_part_of_word = is_letter(redacted.chars().last()) || is_letter(after.chars().next());
        redacted.push_str(if is_short && is_part_of_word { text } else { "…" });
        rest = after;
    }
    redacted + rest
}

/// Removes each part of at least [`PART`] bytes that the message shares with a string of the value, ignoring ASCII
/// case.
fn remove_parts(message: &str, value: View<'_>) -> String {
    let bytes = message.to_ascii_lowercase().into_bytes();
    let known: HashSet<&[u8]> = bytes.windows(PART).collect();
    let mut shared = HashSet::new();
    collect_shared(value, &known, &mut shared);
    if shared.is_empty() {
        return message.to_owned();
    }
    let mut is_shared = vec![false; bytes.len()];
    for (at, part) in bytes.windows(PART).enumerate() {
        if shared.contains(part) {
            is_shared[at..at + PART].fill(true);
        }
    }
    let mut redacted = String::with_capacity(message.len());
    for (at, character) in message.char_indices() {
        // Redact a character if any of its bytes is shared with the value.
        let is_kept = !is_shared[at..at + character.len_utf8()].contains(&true);
        let character = if is_kept { character } else { '…' };
        if character != '…' || !redacted.ends_with('…') {
            redacted.push(character);
        }
    }
    redacted
}

/// Adds to `shared` the runs of [`PART`] bytes that the message shares with a string of the value. `known` has all runs
/// of that length in the message, in lower case.
fn collect_shared<'m>(value: View<'_>, known: &HashSet<&'m [u8]>, shared: &mut HashSet<&'m [u8]>) {
    match value.item() {
        Item::String(text) => {
            let text = text.to_ascii_lowercase();
            shared.extend(text.as_bytes().windows(PART).filter_map(|part| known.get(part)));
        }
        Item::Array(elements) => elements.for_each(|element| collect_shared(element, known, shared)),
        Item::Object(properties) => properties.for_each(|(_, value)| collect_shared(value, known, shared)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::reader::read_value;

    fn redacted(message: &str, value: &Value) -> String {
        redact(message.to_owned(), read_value(value).expect("a document").root())
    }

    #[test]
    fn values_are_removed_however_they_are_quoted() {
        for (message, value, expected) in [
            ("bad value hunter2", json!("hunter2"), "bad value …"),
            ("bad value \"a\\nb\"", json!("a\nb"), "bad value \"…\""),
            ("a is not a date", json!("a"), "… is not … date"),
            ("5 is odd, 15 is not even", json!({"n": 5}), "… is odd, 15 is not even"),
            ("starts with AbcdefGhijkl…", json!("abcdefghijklmnop"), "starts with …"),
            ("must be sorted", json!([3, 1, 2]), "must be sorted"),
            ("naïve\u{202e}", json!(1), "naïve\\u{202e}"),
        ] {
            assert_eq!(redacted(message, &value), expected);
        }
    }

    #[test]
    fn short_values_are_words_and_long_ones_are_parts() {
        for (message, value, expected) in [
            ("abc and abcd", json!("abc"), "… and abcd"),
            ("1abc abc2 -abc-", json!("abc"), "1abc abc2 -…-"),
            ("abcd and 1abcde", json!("abcd"), "… and 1…e"),
            ("it's \"it's\"", json!("it's"), "… \"…\""),
            (r"a\\b or a\b", json!(r"a\b"), "… or …"),
            (r#"a\"b or a"b"#, json!("a\"b"), "… or …"),
            ("of another case: BCDEFGHIJKLM!", json!({"list": ["abcdefghijklmn"]}), "of another case: …!"),
            ("as long as a part: BCDEFGHIJKLM", json!("bcdefghijklm"), "as long as a part: …"),
            ("one byte less: BCDEFGHIJKL!", json!(["abcdefghijklmn"]), "one byte less: BCDEFGHIJKL!"),
            ("two: ABCDEFGHIJKLM-nopqrstuvwxyZ", json!(["abcdefghijklm", {"n": "nopqrstuvwxyz"}]), "two: …-…"),
            ("é: ÉABCDEFGHIJKLMé", json!("abcdefghijklmn"), "é: É…é"),
            ("a b", json!(["", true, null]), "a b"),
        ] {
            assert_eq!(redacted(message, &value), expected);
        }
    }

    #[test]
    fn a_value_of_many_scalars_is_removed_or_the_message_is_replaced() {
        let many: Vec<_> = (0..1_000).map(|n| format!("secret{n}")).collect();
        assert_eq!(redacted("bad: secret999", &json!(many)), "bad: …");
        let long = format!("bad: {} secret999", "x".repeat(100_000));
        assert_eq!(redacted(&long, &json!(many)), "refused by a check of its type");
    }

    #[test]
    fn a_message_is_replaced_if_it_has_too_many_bytes_for_the_scalars() {
        let message = format!("{}bad: 7x", " ".repeat(MAX_STEPS / 16_384 - 7));
        for (count, expected) in [(16_384, "bad: …"), (16_385, "refused by a check of its type")] {
            assert_eq!(redacted(&message, &json!(vec!["7x"; count])).trim_start(), expected);
        }
    }

    #[test]
    fn a_long_message_is_truncated() {
        let message = redacted(&"é".repeat(100_000), &json!(1));
        assert!(message.len() <= MAX_MESSAGE + "…".len() && message.ends_with('…'));
        assert_eq!(redacted(&format!("bad: {}", "x".repeat(1_000_000)), &json!("x".repeat(1_000_000))), "bad: …");
    }

    #[test]
    fn a_text_of_quotes_alone_is_removed_with_its_escapes() {
        let quotes = "\"".repeat(5);
        assert_eq!(redacted(&format!("bad value {quotes:?}"), &json!(quotes)), "bad value \"…\"");
    }
}
