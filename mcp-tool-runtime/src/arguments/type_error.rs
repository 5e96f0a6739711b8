//! Describes in terms of JSON, without Rust names, why a type refuses a document. Also creates the one error for all
//! violations of a call's arguments.

use std::borrow::Cow;
use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use super::coerce::slots_at;
use super::redact::redact;
use crate::ToolError;
use crate::json::path::{Path, Step};
use crate::json::tape::{Tape, View};
use crate::json::violation::{MAX_LISTED, Violation, truncate_text};
use crate::json::writer::json_length;
use crate::output::error_kind::ParameterError;

/// The error from a type that refused a document, with the path to the refused value.
#[derive(Debug)]
pub(super) struct TypeError {
    message: Message,
    /// The steps to the refused value. The innermost comes first, because each level adds its step on the way out.
    reversed_path: Path,
    /// Whether a key was refused. If so, the path already ends with that key.
    is_of_key: bool,
}

#[derive(Debug)]
enum Message {
    /// A message of this crate, which never contains a value.
    Own(Cow<'static, str>),
    /// A message of the type's author, which may quote the value.
    OfAuthor(String),
    /// The string names none of these variants. The message is formatted only when it is reported, because serde drops
    /// most of these errors while it tries the variants of an untagged enum.
    UnknownVariant(&'static [&'static str]),
}

impl TypeError {
    pub(super) fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self::of(Message::Own(message.into()))
    }

    fn of(message: Message) -> Self {
        Self { message, reversed_path: Path::default(), is_of_key: false }
    }

    /// Adds the step that led to the refused value.
    pub(super) fn inside(mut self, step: impl FnOnce() -> Step) -> Self {
        self.reversed_path.push(step());
        self
    }

    /// Marks that this key was refused, not its value. Does nothing if a key is marked already: serde reports an
    /// unknown field either while it reads the key, or later, if it has buffered the object.
    pub(super) fn of_key(self, key: &str) -> Self {
        if self.is_of_key { self } else { Self { is_of_key: true, ..self.inside(|| Step::Key(key.into())) } }
    }

    /// Returns the path to the refused value, in case it is a `null` that the caller can remove. Returns `None` for a
    /// message of the type's author. Also returns `None` for an unknown variant, because the refused value is then a
    /// string.
    pub(super) fn unread(&self) -> Option<Path> {
        let mut path = self.reversed_path.clone();
        path.reverse();
        matches!(self.message, Message::Own(_)).then_some(path)
    }

    /// Converts the error to a violation that repeats no value of the document.
    pub(super) fn into_violation(self, document: &Tape<'_>) -> Violation {
        let text = self.to_string();
        let mut path = self.reversed_path;
        path.reverse();
        let message = match self.message {
            // Redact the refused value or, if it is missing, the innermost value on the path to it.
            Message::OfAuthor(_) => redact(text, View::of_slots(document.slots_from(slots_at(document, &path).start))),
            _ => text,
        };
        Violation::new(path, message)
    }
}

impl Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Message::Own(message) => f.write_str(message),
            Message::OfAuthor(message) => f.write_str(message),
            Message::UnknownVariant(variants) => write!(f, "expected {}, got another string", list_variants(variants)),
        }
    }
}

impl std::error::Error for TypeError {}

impl de::Error for TypeError {
    fn custom<T: Display>(message: T) -> Self {
        let message = message.to_string();
        // serde's message for an untagged enum contains the name of the Rust type, so replace the message.
        if message.starts_with("data did not match any variant") {
            return Self::new("expected one of the published variants");
        }
        Self::of(Message::OfAuthor(message))
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {}, got {}", describe_expected(expected), describe_type(&unexpected)))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {}, got {}", describe_expected(expected), describe_other_value(&unexpected)))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {}, got {length} elements", describe_expected(expected)))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::of(Message::UnknownVariant(expected))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let error = match expected {
            [] => Self::new("not known; no property is known here"),
            known => Self::new(format!("not known; the known properties are: {}", known.join(", "))),
        };
        error.of_key(field)
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new("required, but missing").inside(|| Step::Key(field.into()))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new("given twice, under two of its names").inside(|| Step::Key(field.into()))
    }
}

/// Describes what a type expected, without the names of Rust types.
fn describe_expected(expected: &dyn Expected) -> String {
    let text = expected.to_string();
    let description = match text.as_str() {
        "u8" => "an integer from 0 to 255",
        "u16" => "an integer from 0 to 65535",
        "u32" => "an integer from 0 to 4294967295",
        "i8" => "an integer from -128 to 127",
        "i16" => "an integer from -32768 to 32767",
        "i32" => "an integer from -2147483648 to 2147483647",
        "u64" | "usize" => "an integer from 0 to 2^64-1",
        "u128" => "an integer of 0 or more",
        "i64" | "isize" => "an integer from -2^63 to 2^63-1",
        "i128" => "an integer",
        "f32" | "f64" => "a number",
        "a character" => "a string of one character",
        "a sequence" | "a tuple" => "an array",
        "a map" => "an object",
        "unit" => "null",
        _ if text.starts_with("a nonzero") => "a number other than 0",
        _ if text.starts_with("struct ") || text.starts_with("map ") => "an object",
        _ if text.starts_with("tuple") || text.starts_with("an array") => "an array of the right length",
        _ if text.contains("enum ") => "one of the published variants",
        _ if text.starts_with("unit struct") || text.starts_with("unit variant") => "null",
        _ => return text,
    };
    description.to_owned()
}

/// Names the JSON type of a value.
fn describe_type(unexpected: &Unexpected<'_>) -> &'static str {
    match unexpected {
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "an integer",
        Unexpected::Float(_) => "a number",
        Unexpected::Char(_) | Unexpected::Str(_) | Unexpected::Bytes(_) => "a string",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq => "an array",
        Unexpected::Map => "an object",
        _ => "something else",
    }
}

/// Describes a value of the right type that is not accepted.
fn describe_other_value(unexpected: &Unexpected<'_>) -> &'static str {
    match unexpected {
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "another integer",
        Unexpected::Float(_) => "another number",
        Unexpected::Char(_) | Unexpected::Str(_) | Unexpected::Bytes(_) => "another string",
        other => describe_type(other),
    }
}

/// Lists the variants of an enum as JSON strings.
fn list_variants(variants: &[&str]) -> String {
    let quoted: Vec<_> = variants.iter().map(|variant| format!("{variant:?}")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        several => format!("one of {}", several.join(", ")),
    }
}

/// The maximum length of an error's text in bytes. Open Tool Calling sends the text twice, and JSON takes two bytes for
/// a quotation mark, so this limit keeps each answer below 16 KiB.
const MAX_BYTES: usize = 3_584;

/// The maximum length of an answer with pointers, in bytes of JSON. Pointers get the space that the text leaves free.
const MAX_ANSWER_BYTES: usize = 16_384;

/// The number of bytes that are reserved for the parts of an answer other than text, entries and pointers.
const ENVELOPE_BYTES: usize = 1_024;

/// The number of bytes that are reserved for each entry in addition to its pointer and message.
const ENTRY_BYTES: usize = 40;

/// Returns one error for all violations: text for models, and a list for programs.
pub(crate) fn invalid_arguments(violations: &[Violation]) -> ToolError {
    let mut message = String::from("invalid arguments:");
    let mut described = Vec::new();
    let mut has_more = violations.len() > MAX_LISTED;
    for violation in violations.iter().take(MAX_LISTED) {
        let text = violation.to_string();
        if message.len() + text.len() > MAX_BYTES && !described.is_empty() {
            has_more = true;
            break;
        }
        message.push_str(if violations.len() == 1 { " " } else { "\n- " });
        message.push_str(&truncate_text(&text, MAX_BYTES));
        described.push(violation);
    }
    if has_more {
        message.push_str("\n- and more");
    }
    let texts =
        described.iter().map(|violation| ENTRY_BYTES + json_length(&truncate_text(&violation.message, MAX_BYTES)));
    let written = ENVELOPE_BYTES + json_length(&message) + texts.sum::<usize>();
    let remaining = MAX_ANSWER_BYTES.saturating_sub(written);
    ToolError::new(message).with_parameter_errors(parameter_errors(&described, remaining))
}

/// Returns one entry for each path, with pointers of at most `remaining` bytes of JSON together. The root is not a
/// parameter, so its violations are left out.
fn parameter_errors(violations: &[&Violation], mut remaining: usize) -> Vec<ParameterError> {
    let mut errors: Vec<ParameterError> = Vec::new();
    for violation in violations.iter().filter(|violation| !violation.path.is_root()) {
        let parameter = truncate_text(&violation.path.to_string(), MAX_BYTES / 4).into_owned();
        let message = truncate_text(&violation.message, MAX_BYTES);
        if let Some(known) = errors.iter_mut().find(|known| known.parameter == parameter) {
            known.message.extend(["; ", &message]);
        } else {
            let pointer = violation.path.to_pointer(remaining.min(MAX_BYTES / 4));
            remaining = remaining.saturating_sub(json_length(&pointer));
            errors.push(ParameterError { parameter, pointer, message: message.into_owned() });
        }
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::path::{Path, Step};

    fn of_list(key: &str, message: &str) -> ToolError {
        let violation = |index| {
            let mut path = Path::default().property(key);
            path.push(Step::Index(index));
            Violation::new(path, message)
        };
        invalid_arguments(&(0..32).map(violation).collect::<Vec<_>>())
    }

    #[test]
    fn the_pointers_of_one_answer_are_short_together() {
        for key in ["\u{1}", "\"", "\\", "~", "é", "k"] {
            for message in ["m", "\"m\" ", &"\"".repeat(100)] {
                let error = of_list(&key.repeat(100_000), message);
                let errors = error.errors().iter();
                let answer = serde_json::json!({
                    "detail": error.message(),
                    "errors": errors
                        .map(|error| serde_json::json!({ "pointer": format!("#{}", error.pointer()), "detail": error.message() }))
                        .collect::<Vec<_>>(),
                });
                assert!(answer.to_string().len() <= MAX_ANSWER_BYTES - 256, "{key} {}", answer.to_string().len());
            }
        }
    }

    #[test]
    fn ordinary_pointers_are_written_whole() {
        let error = of_list("an ordinary / name", "expected an integer, got a string");
        let pointers: Vec<_> = error.errors().iter().map(ParameterError::pointer).collect();
        let whole: Vec<_> = (0..32).map(|index| format!("/an ordinary ~1 name/{index}")).collect();
        assert_eq!(pointers, whole);
    }

    #[test]
    fn the_path_of_a_parameter_error_is_truncated() {
        let path = (0..100).fold(Path::default(), |path, _| path.property(&"k".repeat(100)));
        let error = invalid_arguments(&[Violation::new(path, "refused")]);
        let lengths: Vec<_> = error.errors().iter().map(|error| error.parameter().len()).collect();
        assert_eq!(lengths, [MAX_BYTES / 4 + "…".len()]);
    }

    #[test]
    fn a_violation_is_listed_if_the_text_reaches_the_limit_and_not_if_it_exceeds_it() {
        let text = |length: usize| {
            let violations = [Violation::root("a".repeat(1_000)), Violation::root("b".repeat(length))];
            invalid_arguments(&violations).message().to_owned()
        };
        let remaining = MAX_BYTES - "invalid arguments:\n- ".len() - 1_000;
        assert!(text(remaining).ends_with('b'));
        assert!(text(remaining + 1).ends_with("a\n- and more"));
    }
}
