//! Why a type refused a document, as a message for a model.

use std::borrow::Cow;
use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use super::messages::{describe_expected, describe_other_value, describe_type, list_variants};
use super::redact::redact;
use crate::json::path::{Path, Step};
use crate::json::tape::View;
use crate::json::violation::Violation;

/// The error of a type that refused a document, with the path to the refused value.
#[derive(Debug)]
pub(super) struct TypeError {
    message: Message,
    /// The steps to the refused value, innermost first: each level adds its own on the way out.
    reversed_path: Path,
    /// Whether a key was refused, and the path already leads to it.
    is_of_key: bool,
}

#[derive(Debug)]
enum Message {
    /// A message of this crate. It never contains a value.
    Own(Cow<'static, str>),
    /// A message of the type's author, which may quote the value.
    OfAuthor(String),
    /// The string does not name one of these variants. The message is formatted only when it is reported, because serde drops most
    /// errors of this kind while it tries the variants of an untagged enum.
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

    /// Marks this key as refused, rather than a value. A key that is marked already stays the only one: serde reports an unknown field
    /// with its name while the key is read, or later, if it has buffered the object.
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
