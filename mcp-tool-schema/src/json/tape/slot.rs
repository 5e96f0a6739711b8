//! One entry of the list that a document is.

use std::borrow::Cow;
use std::ops::Deref;

use crate::json::number::Numeral;
use crate::json::scanner::{JsonString, Scanner};

/// One scalar, one key, or the head of an array or object.
#[derive(Debug, Clone, PartialEq)]
pub enum Slot<'a> {
    Null,
    Bool(bool),
    Number(Numeral),
    String(Text<'a>),
    /// A string with its quotes and escapes, unescaped when it is asked for.
    EscapedString(&'a str),
    Array(Extent),
    Object(Extent),
    /// Replaces the key of a removed property. The property's value still follows.
    Tombstone,
}

/// The text of a string. A `Cow` keeps the tag of the slot in the capacity of its `String`. Then it takes longer to tell slots apart: 9 % of the
/// check of the benchmark `order`.
#[derive(Debug, Clone)]
pub enum Text<'a> {
    Borrowed(&'a str),
    Owned(Box<str>),
}

impl Deref for Text<'_> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Owned(text) => text,
        }
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<'a, T: Into<Cow<'a, str>>> From<T> for Text<'a> {
    #[inline]
    fn from(text: T) -> Self {
        match text.into() {
            Cow::Borrowed(text) => Self::Borrowed(text),
            Cow::Owned(text) => Self::Owned(text.into()),
        }
    }
}

impl Slot<'_> {
    /// Returns the integer that a float such as `3.0` is.
    #[inline]
    pub fn integral_float(&self) -> Option<Numeral> {
        match self {
            Self::Number(number @ Numeral::Float(_)) => number.to_integer(),
            _ => None,
        }
    }
}

/// The size of an array or an object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// The number of elements or properties.
    pub len: usize,
    /// The number of slots after the head.
    pub span: usize,
}

/// Returns the number of slots of the value that `slots` starts with.
#[inline]
pub fn slot_count(slots: &[Slot<'_>]) -> usize {
    match slots.first() {
        Some(Slot::Array(extent) | Slot::Object(extent)) => 1 + extent.span,
        _ => 1,
    }
}

/// Unescapes a string, which the writer has written as valid JSON.
pub(in crate::json) fn unescape(text: &str) -> String {
    Scanner::new(text).string().ok().and_then(JsonString::decode).unwrap_or_default().into_owned()
}
