//! Records the structure of a value while it is written.
//!
//! When the text is parsed again instead, a call of the benchmark `search` takes 17 % more instructions, one of `order` 7 %, and
//! one of `text` 53 %. To measure it again, let `Recording::with_document` return `None`, and run
//! `python3 tests/bench/bench.py budget`.

use super::string::Span;
use crate::json::duplicate_keys::KeyFilter;
use crate::json::duplicate_keys::key_bits;
use crate::json::number::Numeral;
use crate::json::{
    reader::MAX_DEPTH,
    tape::Extent,
    writer::recording::{Range, RecordedSlot, Recording},
};

/// The number of slots for which a recording has room before it grows.
const CAPACITY: usize = 32;

pub(super) struct Recorder {
    pub(super) slots: Vec<RecordedSlot>,
    pub(super) is_incomplete: bool,
    pub(super) may_have_duplicate_keys: bool,
}

impl Recorder {
    pub(super) fn new() -> Self {
        Self { slots: Vec::with_capacity(CAPACITY), is_incomplete: false, may_have_duplicate_keys: false }
    }

    pub(super) fn finish(self) -> Recording {
        let Self { slots, is_incomplete, may_have_duplicate_keys } = self;
        Recording { slots, is_incomplete, may_have_duplicate_keys }
    }

    #[inline]
    fn push(&mut self, slot: RecordedSlot) {
        self.slots.push(slot);
    }

    #[inline]
    pub(super) fn null(&mut self) {
        self.push(RecordedSlot::Null);
    }

    #[inline]
    pub(super) fn bool(&mut self, flag: bool) {
        self.push(RecordedSlot::Bool(flag));
    }

    #[inline]
    pub(super) fn number(&mut self, number: Numeral) {
        self.push(RecordedSlot::Number(number));
    }

    #[inline]
    pub(super) fn string(&mut self, Span { start, end, is_escaped }: Span) {
        self.push(if is_escaped {
            RecordedSlot::EscapedString(Range { start, end })
        } else {
            RecordedSlot::PlainString(Range { start: start + 1, end: end - 1 })
        });
    }

    /// Records a key. `text` is its text before it was escaped, if it is at hand. `keys` are the keys of the object.
    #[inline]
    pub(super) fn key(&mut self, Span { start, end, is_escaped }: Span, text: Option<&str>, keys: &mut KeyFilter) {
        self.may_have_duplicate_keys |= text.is_none_or(|text| keys.test_and_insert(key_bits(text)));
        self.push(if is_escaped {
            RecordedSlot::EscapedKey(Range { start, end })
        } else {
            RecordedSlot::PlainString(Range { start: start + 1, end: end - 1 })
        });
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

    #[inline]
    pub(super) fn close_array(&mut self, head: usize, len: usize) {
        let span = self.slots.len() - head - 1;
        self.slots[head] = RecordedSlot::Array(Extent { len, span });
    }

    #[inline]
    pub(super) fn close_object(&mut self, head: usize, len: usize) {
        let span = self.slots.len() - head - 1;
        self.slots[head] = RecordedSlot::Object(Extent { len, span });
    }
}
