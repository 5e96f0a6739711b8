//! Why a type refuses a document, in words for a model.

use std::borrow::Cow;
use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use super::wording;
use crate::document::path::{Path, Step};
use crate::document::tape::{Item, View};
use crate::document::violation::Violation;

/// Why a type refused a document. The path is laid on the way out, innermost step first.
#[derive(Debug)]
pub(super) struct Problem {
    path: Path,
    /// Empty where the kind says it.
    text: Cow<'static, str>,
    kind: Kind,
    /// Whether a name is refused, rather than what stands there: no reading of the value helps.
    is_of_a_name: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Own,
    /// The text is a type's own, which may quote the value.
    Foreign,
    /// A text is none of these variants.
    NoneOf(&'static [&'static str]),
}

impl Problem {
    pub(super) fn new(text: impl Into<Cow<'static, str>>) -> Self {
        Self { path: Path::default(), text: text.into(), kind: Kind::Own, is_of_a_name: false }
    }

    pub(super) fn under(mut self, step: impl FnOnce() -> Step) -> Self {
        self.path.push(step());
        self
    }

    /// The problem of the name that stands here.
    pub(super) fn of_a_name(self) -> Self {
        Self { is_of_a_name: true, ..self }
    }

    /// The fault, in which no value of the document is repeated: a type's own words may quote it.
    pub(super) fn into_fault(self, root: View<'_>) -> Violation {
        let unknown = self.is_of_a_name;
        Violation { is_unknown_property: unknown, ..self.told(root) }
    }

    fn told(mut self, root: View<'_>) -> Violation {
        self.path.reverse();
        if self.kind != Kind::Foreign {
            let text = self.to_string();
            return Violation::new(self.path, text);
        }
        let mut here = root;
        for step in self.path.steps() {
            let next = match step {
                Step::Key(key) => here.get(key),
                Step::Index(index) => here.elements().and_then(|mut elements| elements.nth(*index)),
            };
            let Some(next) = next else { break };
            here = next;
        }
        let mut quoted_values = Vec::new();
        scalars(here, &mut quoted_values);
        // What contains another goes first.
        quoted_values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        for value in quoted_values {
            self.text = without(&self.text, &value).into();
        }
        Violation::new(self.path, self.text.into_owned())
    }
}

/// The texts of a value's scalars, a few of them.
fn scalars(view: View<'_>, texts: &mut Vec<String>) {
    if texts.len() >= 64 {
        return;
    }
    match view.item() {
        Item::String(text) if !text.is_empty() => {
            texts.push(text.as_ref().to_owned());
            // As a message quotes it: escaped as Rust does, or as JSON does.
            for quoted in [format!("{text:?}"), serde_json::Value::from(text.as_ref()).to_string()] {
                texts.push(quoted[1..quoted.len() - 1].to_owned());
            }
        }
        Item::Number(number) => texts.push(number.to_json().to_string()),
        Item::Array(elements) => elements.for_each(|view| scalars(view, texts)),
        Item::Object(members) => members.for_each(|(_, view)| scalars(view, texts)),
        _ => {}
    }
}

/// The text with each occurrence of a value taken out; of a short one, where it stands as a word of its own.
fn without(text: &str, value: &str) -> String {
    const SHORT: usize = 3;
    let short = value.chars().count() <= SHORT;
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    while let Some(at) = rest.find(value) {
        let (before, after) = (&rest[..at], &rest[at + value.len()..]);
        let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        kept.push_str(before);
        let inside = short && (word(kept.chars().last()) || word(after.chars().next()));
        kept.push_str(if inside { value } else { "…" });
        rest = after;
    }
    kept + rest
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::NoneOf(variants) => write!(f, "expected {}, got another string", one_of(variants)),
            _ => f.write_str(&self.text),
        }
    }
}

impl std::error::Error for Problem {}

impl de::Error for Problem {
    fn custom<T: Display>(message: T) -> Self {
        let text = message.to_string();
        // serde says this of an untagged enum, with the name of the type.
        if text.starts_with("data did not match any variant") {
            return Self::new("expected one of the published variants");
        }
        Self { kind: Kind::Foreign, ..Self::new(text) }
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let came = wording::kind(&unexpected).replace("another", "a").replace("a integer", "an integer");
        Self::new(format!("expected {}, got {came}", wording::expected(&expected.to_string())))
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let came = wording::kind(&unexpected);
        Self::new(format!("expected {}, got {came}", wording::expected(&expected.to_string())))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {}, got {length} elements", wording::expected(&expected.to_string())))
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self { kind: Kind::NoneOf(expected), ..Self::new("") }
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("not known; known are {}", expected.join(", ")))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new("required, but missing").under(|| Step::Key(field.to_owned()))
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new("given twice, under two of its names").under(|| Step::Key(field.to_owned()))
    }
}

fn one_of(variants: &[&str]) -> String {
    let quoted: Vec<_> = variants.iter().map(|variant| format!("{variant:?}")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        many => format!("one of {}", many.join(", ")),
    }
}
