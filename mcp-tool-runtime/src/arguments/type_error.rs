//! Errors of types that refuse a document, in terms of JSON and without Rust names.

use std::borrow::Cow;
use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use super::redact::redact;
use crate::json::path::{Path, Step};
use crate::json::tape::View;
use crate::json::violation::Violation;

/// The error of a type that refused a document, with the path to the refused value.
#[derive(Debug)]
pub(super) struct TypeError {
    message: Message,
    /// The steps to the refused value. The innermost comes first, because each level adds its step on the way out.
    reversed_path: Path,
    /// A key was refused, and the path already ends with it.
    is_of_key: bool,
}

#[derive(Debug)]
enum Message {
    /// A message of this crate, which never contains a value.
    Own(Cow<'static, str>),
    /// A message of the type's author, which may quote the value.
    OfAuthor(String),
    /// The string names none of these variants. The message is formatted only when it is reported, because serde drops most
    /// of these errors while it tries the variants of an untagged enum.
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

    /// Says that this key was refused, not its value. Does nothing if a key is marked already: serde reports an unknown field
    /// either while it reads the key, or later, if it has buffered the object.
    pub(super) fn of_key(self, key: &str) -> Self {
        if self.is_of_key { self } else { Self { is_of_key: true, ..self.inside(|| Step::Key(key.into())) } }
    }

    /// Converts the error to a violation that repeats no value of the document.
    pub(super) fn into_violation(self, root: View<'_>) -> Violation {
        let text = self.to_string();
        let mut path = self.reversed_path;
        path.reverse();
        let message = match self.message {
            Message::OfAuthor(_) => redact(text, nearest_value(root, &path)),
            _ => text,
        };
        Violation::new(path, message)
    }
}

/// Returns the value at the path, or the last value on the way to it.
fn nearest_value<'t>(root: View<'t>, path: &Path) -> View<'t> {
    let mut value = root;
    for step in path.steps() {
        let inner = match step {
            Step::Key(key) => value.get(key),
            Step::Index(index) => value.elements().and_then(|mut elements| elements.nth(*index)),
        };
        let Some(inner) = inner else { break };
        value = inner;
    }
    value
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
        // serde's message for an untagged enum contains the name of the Rust type.
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
