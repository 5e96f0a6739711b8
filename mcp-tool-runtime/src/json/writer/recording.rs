//! What was recorded of a text.

use std::borrow::Cow;

#[cfg(feature = "rmcp")]
use serde_json::{Map, Value};

use crate::json::duplicate_keys::find_duplicate;
use crate::json::number::Numeral;
use crate::json::tape::{Extent, Slot, View};
#[cfg(feature = "rmcp")]
use crate::json::tape::{parse_number, unescape};

/// The structure of a written text.
#[derive(Debug, Clone)]
pub(crate) struct Recording {
    pub(super) slots: Vec<RecordedSlot>,
    /// The text has parts that were not recorded, such as a `RawValue`, and must be parsed.
    pub(super) is_incomplete: bool,
    pub(super) may_have_duplicate_keys: bool,
}

/// A [`Slot`] of the written text. It holds positions instead of strings, since the text still grows while it is recorded.
#[derive(Debug, Clone, Copy)]
pub(super) enum RecordedSlot {
    Null,
    Bool(bool),
    Number(Numeral),
    UnparsedNumber(Range),
    /// A string or a key without escapes; the range excludes its quotes.
    PlainString(Range),
    EscapedString(Range),
    EscapedKey(Range),
    Array(Extent),
    Object(Extent),
}

/// A range of bytes of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Recording {
    /// Calls `check` with the document that was written as `text`. Returns `None` if the text must be parsed instead: it was
    /// not completely recorded, or has a violation that the reader describes.
    pub(crate) fn with_document<R>(&self, text: &str, check: impl FnOnce(View<'_>) -> R) -> Option<R> {
        if self.is_incomplete {
            return None;
        }
        if let [slot] = self.slots.as_slice() {
            return Some(check(View::of_slots(&[slot.resolve(text)?])));
        }
        let mut slots = Vec::with_capacity(self.slots.len());
        for slot in &self.slots {
            slots.push(slot.resolve(text)?);
        }
        let document = View::of_slots(&slots);
        let has_duplicate =
            self.may_have_duplicate_keys && document.objects().any(|properties| find_duplicate(properties).is_some());
        (!has_duplicate).then(|| check(document))
    }
}

#[cfg(feature = "rmcp")]
impl Recording {
    /// Returns the value that was written as `text`, as a tree. Returns `None` if the text must be parsed instead.
    pub(crate) fn to_value(&self, text: &str) -> Option<Value> {
        if self.is_incomplete { None } else { tree(&mut self.slots.iter(), text) }
    }
}

/// Makes a tree of the next value. Of a key that appears twice, the last value counts, as for a parser.
#[cfg(feature = "rmcp")]
fn tree(slots: &mut std::slice::Iter<'_, RecordedSlot>, text: &str) -> Option<Value> {
    Some(match *slots.next()? {
        RecordedSlot::Null => Value::Null,
        RecordedSlot::Bool(flag) => Value::Bool(flag),
        RecordedSlot::Number(number) => Value::Number(number.to_json()),
        RecordedSlot::UnparsedNumber(range) => Value::Number(parse_number(range.of(text)?).to_json()),
        RecordedSlot::PlainString(range) => Value::String(range.of(text)?.to_owned()),
        RecordedSlot::EscapedString(range) | RecordedSlot::EscapedKey(range) => {
            Value::String(unescape(range.of(text)?))
        }
        RecordedSlot::Array(extent) => {
            let mut elements = Vec::with_capacity(extent.len);
            for _ in 0..extent.len {
                elements.push(tree(slots, text)?);
            }
            Value::Array(elements)
        }
        RecordedSlot::Object(extent) => {
            let mut properties = Map::with_capacity(extent.len);
            for _ in 0..extent.len {
                let Value::String(key) = tree(slots, text)? else { return None };
                properties.insert(key, tree(slots, text)?);
            }
            Value::Object(properties)
        }
    })
}

impl RecordedSlot {
    /// Replaces the ranges by the parts of the text.
    fn resolve(self, text: &str) -> Option<Slot<'_>> {
        Some(match self {
            Self::Null => Slot::Null,
            Self::Bool(flag) => Slot::Bool(flag),
            Self::Number(number) => Slot::Number(number),
            Self::UnparsedNumber(range) => Slot::UnparsedNumber(range.of(text)?),
            Self::PlainString(range) => Slot::String(Cow::Borrowed(range.of(text)?)),
            Self::EscapedString(range) => Slot::EscapedString(range.of(text)?),
            // The validator compares each key several times, so a key is unescaped at once.
            Self::EscapedKey(range) => Slot::String(Cow::Owned(serde_json::from_str(range.of(text)?).ok()?)),
            Self::Array(extent) => Slot::Array(extent),
            Self::Object(extent) => Slot::Object(extent),
        })
    }
}

impl Range {
    fn of(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }
}
