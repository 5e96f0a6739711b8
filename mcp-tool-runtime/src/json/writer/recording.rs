//! The structure of a value, recorded while the value is written.
//!
//! When the text is parsed again instead, a call of the benchmark `search` takes 17 % more instructions, one of `order` 7 %, and
//! one of `text` 53 %. To measure it again, let `Recording::with_document` return `None`, and run
//! `python3 tests/bench/bench.py budget`.

use std::borrow::Cow;
use std::ops::Range;

use super::serializer::Span;
use crate::json::duplicate_keys::{KeyFilter, find_duplicate, key_bits};
use crate::json::number::Numeral;
use crate::json::reader::MAX_DEPTH;
use crate::json::tape::{Extent, Slot, View};

/// The number of slots for which a recording has room before it grows.
const CAPACITY: usize = 32;

/// The structure of a written text.
#[derive(Debug, Clone)]
pub(crate) struct Recording {
    pub(super) slots: Vec<RecordedSlot>,
    /// The text has parts that were not recorded, such as a `RawValue`, and must be parsed.
    is_incomplete: bool,
    may_have_duplicate_keys: bool,
}

/// A [`Slot`] of the written text. It holds positions instead of strings, since the text still grows while it is recorded.
#[derive(Debug, Clone)]
pub(super) enum RecordedSlot {
    Null,
    Bool(bool),
    Number(Numeral),
    /// A string or a key without escapes; the range excludes its quotes.
    PlainString(Range<usize>),
    EscapedString(Range<usize>),
    EscapedKey(Range<usize>),
    Array(Extent),
    Object(Extent),
}

impl Recording {
    pub(super) fn new() -> Self {
        Self { slots: Vec::with_capacity(CAPACITY), is_incomplete: false, may_have_duplicate_keys: false }
    }

    #[inline]
    pub(super) fn push(&mut self, slot: RecordedSlot) {
        self.slots.push(slot);
    }

    #[inline]
    pub(super) fn string(&mut self, span: Span) {
        self.push(RecordedSlot::of_text(span, RecordedSlot::EscapedString));
    }

    /// Records a key. `text` is its text before it was escaped, if it is at hand. `keys` are the keys of the object.
    #[inline]
    pub(super) fn key(&mut self, span: Span, text: Option<&str>, keys: &mut KeyFilter) {
        self.may_have_duplicate_keys |= text.is_none_or(|text| keys.test_and_insert(key_bits(text)));
        self.push(RecordedSlot::of_text(span, RecordedSlot::EscapedKey));
    }

    /// Records a part that was not serialized piece by piece. The slot is only a placeholder.
    pub(super) fn unknown(&mut self) {
        self.is_incomplete = true;
        self.push(RecordedSlot::Null);
    }

    /// Opens an array or an object inside of `levels` others, and returns the index of its slot.
    #[inline]
    pub(super) fn open(&mut self, levels: usize) -> usize {
        // The reader decides about the innermost level: it may be empty.
        self.is_incomplete |= levels >= MAX_DEPTH;
        self.push(RecordedSlot::Null);
        self.slots.len() - 1
    }

    /// Closes the array or the object whose slot is at `head`. `slot` is its constructor.
    #[inline]
    pub(super) fn close(&mut self, head: usize, len: usize, slot: fn(Extent) -> RecordedSlot) {
        let span = self.slots.len() - head - 1;
        self.slots[head] = slot(Extent { len, span });
    }

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

impl RecordedSlot {
    /// `escaped` is the constructor of a text with escapes.
    #[inline]
    fn of_text(Span { start, end, is_escaped }: Span, escaped: fn(Range<usize>) -> Self) -> Self {
        if is_escaped { escaped(start..end) } else { Self::PlainString(start + 1..end - 1) }
    }

    /// Replaces the ranges by the parts of the text.
    fn resolve<'t>(&self, text: &'t str) -> Option<Slot<'t>> {
        Some(match self {
            Self::Null => Slot::Null,
            Self::Bool(flag) => Slot::Bool(*flag),
            Self::Number(number) => Slot::Number(*number),
            Self::PlainString(range) => Slot::String(Cow::Borrowed(text.get(range.clone())?)),
            Self::EscapedString(range) => Slot::EscapedString(text.get(range.clone())?),
            // The validator compares each key several times, so a key is unescaped at once.
            Self::EscapedKey(range) => Slot::String(Cow::Owned(serde_json::from_str(text.get(range.clone())?).ok()?)),
            Self::Array(extent) => Slot::Array(*extent),
            Self::Object(extent) => Slot::Object(*extent),
        })
    }
}
