//! Removes values of a document from a message that the author of a type wrote (rule I1).
//!
//! Such a message often quotes the refused value, which may be a secret.

use serde_json::Value;

use crate::document::tape::{Item, View};

/// The search stops after this many texts. A string counts as three: plain, and with the escapes of Rust and of JSON.
const MAX_TEXTS: usize = 64;

/// Up to this many characters, a value is removed only where it is a word of its own: `a` is part of many words.
const SHORT: usize = 3;

/// Replaces each scalar of `value` in the message by `…`.
pub(super) fn redact(message: String, value: View<'_>) -> String {
    let mut texts = Vec::new();
    collect_scalars(value, &mut texts);
    // A text that contains another one must go first.
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts.iter().fold(message, |message, text| remove(&message, text))
}

/// Collects each text under which a scalar of `value` may occur in a message.
fn collect_scalars(value: View<'_>, texts: &mut Vec<String>) {
    if texts.len() >= MAX_TEXTS {
        return;
    }
    match value.item() {
        Item::String(text) if !text.is_empty() => {
            texts.push(text.as_ref().to_owned());
            // A message may also contain it with the escapes of Rust or of JSON.
            for quoted in [format!("{text:?}"), Value::from(text.as_ref()).to_string()] {
                texts.push(quoted[1..quoted.len() - 1].to_owned());
            }
        }
        Item::Number(number) => texts.push(number.to_json().to_string()),
        Item::Array(elements) => elements.for_each(|element| collect_scalars(element, texts)),
        Item::Object(properties) => properties.for_each(|(_, value)| collect_scalars(value, texts)),
        _ => {}
    }
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
