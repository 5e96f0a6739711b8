//! What was recorded of a text.

use std::borrow::Cow;
use std::cell::Cell;

use crate::json::buffer_pool;
use crate::json::duplicate_keys::find_duplicate;
use crate::json::number::Numeral;
use crate::json::tape::{Extent, Slot, Slots, View};

/// The structure of a written text.
#[derive(Debug, Clone)]
pub(crate) struct Recording {
    pub(super) slots: RecordedSlots,
    /// The text has parts that were not recorded, such as a `RawValue`, and must be parsed.
    pub(super) is_incomplete: bool,
    pub(super) may_have_duplicate_keys: bool,
}

/// A list of slots in a buffer from the pool.
#[derive(Debug, Clone, Default)]
pub(super) struct RecordedSlots(pub(super) Vec<RecordedSlot>);

thread_local! {
    static POOL: Cell<Vec<RecordedSlot>> = const { Cell::new(Vec::new()) };
}

impl RecordedSlots {
    pub(super) fn from_pool() -> Self {
        Self(buffer_pool::take(&POOL))
    }

    /// Leaves a large buffer to the pool, since a recording lives as long as its result.
    pub(super) fn shrink(mut self) -> Self {
        Self(buffer_pool::shrink(&POOL, std::mem::take(&mut self.0)))
    }
}

impl Drop for RecordedSlots {
    fn drop(&mut self) {
        buffer_pool::put_back(&POOL, std::mem::take(&mut self.0));
    }
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
        if let [slot] = self.slots.0.as_slice() {
            return Some(check(View::of_slots(&[slot.resolve(text)?])));
        }
        let mut slots = Slots::with_capacity(self.slots.0.len());
        for slot in &self.slots.0 {
            slots.push(slot.resolve(text)?);
        }
        let document = View::of_slots(&slots);
        let has_duplicate =
            self.may_have_duplicate_keys && document.objects().any(|properties| find_duplicate(properties).is_some());
        (!has_duplicate).then(|| check(document))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_recording_reuses_the_memory_of_a_dropped_one() {
        let mut slots = RecordedSlots::from_pool();
        slots.0.push(RecordedSlot::Null);
        let address = slots.0.as_ptr();
        drop(slots);
        let next = RecordedSlots::from_pool();
        assert_eq!((next.0.as_ptr(), next.0.len()), (address, 0));
    }
}
