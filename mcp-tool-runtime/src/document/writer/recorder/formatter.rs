//! The `serde_json` formatter that records.

use std::cell::Cell;
use std::io::{self, Write};

use serde_json::ser::{CompactFormatter, Formatter};

use super::recording::{Range, RecordedSlot, RecordedSlots, Recording};
use crate::document::duplicate_keys::{KeyBits, KeyFilter, key_bits};
use crate::document::number::Numeral;
use crate::document::reader::MAX_DEPTH;
use crate::document::tape::Extent;
use crate::document::writer::compact;
use crate::document::writer::depth::DepthLimit;

/// The output buffer. It shares its length with the recorder, because a formatter can only [`Write`] to its writer.
pub(super) struct CountedBuffer<'o> {
    pub(super) bytes: Vec<u8>,
    pub(super) written: &'o Cell<usize>,
}

impl Write for CountedBuffer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes.extend_from_slice(bytes);
        self.written.set(self.bytes.len());
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes compact JSON and records a slot for each part of it.
pub(super) struct Recorder<'o> {
    slots: RecordedSlots,
    /// The number of bytes written so far.
    written: &'o Cell<usize>,
    /// The innermost array or object that is still open.
    container: Option<Container>,
    /// The open arrays and objects around it.
    ancestors: Vec<Container>,
    limit: DepthLimit<'o>,
    position: Position,
    string: CurrentString,
    /// The number of slots when the last element, key or value began.
    begun: usize,
    /// An element, key or value began and nothing was written for it.
    has_missing_part: bool,
    is_incomplete: bool,
    may_have_duplicate_keys: bool,
}

/// An array or an object that is still open.
#[derive(Clone, Copy)]
struct Container {
    /// The index of its slot.
    head: usize,
    len: usize,
    keys: KeyFilter,
}

/// Where the next scalar belongs.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    Value,
    /// A key begins with the next string.
    Key,
    /// Inside the quotes of a key, where a number or a boolean is written bare.
    InKey,
}

/// The string or key that is being written.
#[derive(Default)]
struct CurrentString {
    start: usize,
    /// The number of bytes that were written without escapes.
    plain: usize,
    /// The bits of a key's last fragment, which is the key if there is only one.
    key_bits: KeyBits,
    fragments: usize,
}

impl<'o> Recorder<'o> {
    pub(super) fn new(written: &'o Cell<usize>, limit: DepthLimit<'o>) -> Self {
        Self {
            slots: RecordedSlots::from_pool(),
            written,
            container: None,
            ancestors: Vec::new(),
            limit,
            position: Position::Value,
            string: CurrentString::default(),
            begun: 0,
            has_missing_part: false,
            is_incomplete: false,
            may_have_duplicate_keys: false,
        }
    }

    /// Returns the recording, `None` if a part of the value was not written: a type's `Serialize` ignored an error.
    pub(super) fn finish(self) -> Option<Recording> {
        if self.has_missing_part || self.container.is_some() || self.slots.0.is_empty() {
            return None;
        }
        let Self { slots, is_incomplete, may_have_duplicate_keys, .. } = self;
        Some(Recording { slots: slots.shrink(), is_incomplete, may_have_duplicate_keys })
    }

    fn push(&mut self, slot: RecordedSlot) {
        self.slots.0.push(slot);
    }

    fn scalar(&mut self, slot: RecordedSlot) {
        if self.position == Position::InKey {
            // A string key may have the same digits. No digit is escaped.
            self.may_have_duplicate_keys = true;
            self.string.plain = usize::MAX;
        } else {
            self.push(slot);
        }
    }

    fn unsigned(&mut self, number: u64) {
        self.scalar(RecordedSlot::Number(Numeral::Unsigned(number)));
    }

    fn signed(&mut self, number: i64) {
        let number = u64::try_from(number).map_or(Numeral::Signed(number), Numeral::Unsigned);
        self.scalar(RecordedSlot::Number(number));
    }

    fn float(&mut self, number: f64) {
        self.scalar(RecordedSlot::Number(Numeral::Float(number)));
    }

    /// Records a part that was not serialized piece by piece. The slot is only a placeholder.
    fn unknown(&mut self) {
        self.is_incomplete = true;
        self.push(RecordedSlot::Null);
    }

    /// Not inlined, to keep the loop over the fragments of a long string small.
    #[inline(never)]
    fn key_fragment(&mut self, fragment: &str) {
        self.string.key_bits = key_bits(fragment);
        self.string.fragments += 1;
    }

    fn end_key(&mut self, is_escaped: bool) {
        if let Some(container) = &mut self.container {
            let may_be_known = container.keys.test_and_insert(self.string.key_bits);
            self.may_have_duplicate_keys |= may_be_known || self.string.fragments > 1 || is_escaped;
        }
    }

    fn open(&mut self) -> io::Result<()> {
        self.limit.check(self.ancestors.len() + usize::from(self.container.is_some()))?;
        self.ancestors.extend(self.container);
        // The reader decides about the innermost level: it may be empty.
        self.is_incomplete |= self.ancestors.len() >= MAX_DEPTH;
        self.container = Some(Container { head: self.slots.0.len(), len: 0, keys: KeyFilter::default() });
        self.push(RecordedSlot::Null);
        Ok(())
    }

    fn close(&mut self, slot: impl FnOnce(Extent) -> RecordedSlot) {
        self.end_part();
        if let Some(Container { head, len, .. }) = self.container {
            let span = self.slots.0.len() - head - 1;
            self.slots.0[head] = slot(Extent { len, span });
            self.container = self.ancestors.pop();
        }
    }

    /// Begins the next element or property.
    fn begin_entry(&mut self) {
        self.begin_part();
        if let Some(container) = &mut self.container {
            container.len += 1;
        }
    }

    /// Begins an element, a key or a value.
    fn begin_part(&mut self) {
        self.end_part();
        self.begun = self.slots.0.len();
    }

    /// Checks that something was written for the last part. A `Serialize` that ignores the error of a field continues as if
    /// the field had been written.
    fn end_part(&mut self) {
        self.has_missing_part |= self.begun == self.slots.0.len();
    }
}

macro_rules! numbers {
    ($($method:ident $kind:ty: $record:ident)+) => {$(
        fn $method<W: ?Sized + Write>(&mut self, writer: &mut W, number: $kind) -> io::Result<()> {
            self.$record(number.into());
            CompactFormatter.$method(writer, number)
        }
    )+};
}

macro_rules! unparsed_numbers {
    ($($method:ident $kind:ty)+) => {$(
        fn $method<W: ?Sized + Write>(&mut self, writer: &mut W, number: $kind) -> io::Result<()> {
            let start = self.written.get();
            CompactFormatter.$method(writer, number)?;
            self.scalar(RecordedSlot::UnparsedNumber(Range { start, end: self.written.get() }));
            Ok(())
        }
    )+};
}

impl Formatter for &mut Recorder<'_> {
    numbers! {
        write_i8 i8: signed write_i16 i16: signed write_i32 i32: signed write_i64 i64: signed
        write_u8 u8: unsigned write_u16 u16: unsigned write_u32 u32: unsigned write_u64 u64: unsigned
        write_f64 f64: float
    }

    // A reader parses their digits as the nearest number of 64 bits, which may be another number.
    unparsed_numbers! { write_i128 i128 write_u128 u128 write_f32 f32 }

    fn write_number_str<W: ?Sized + Write>(&mut self, writer: &mut W, number: &str) -> io::Result<()> {
        self.unknown();
        writer.write_all(number.as_bytes())
    }

    fn write_raw_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        self.unknown();
        let levels = self.ancestors.len() + usize::from(self.container.is_some());
        compact::write(writer, fragment, self.limit, levels)
    }

    fn write_null<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.scalar(RecordedSlot::Null);
        writer.write_all(b"null")
    }

    fn write_bool<W: ?Sized + Write>(&mut self, writer: &mut W, flag: bool) -> io::Result<()> {
        self.scalar(RecordedSlot::Bool(flag));
        writer.write_all(if flag { b"true" } else { b"false" })
    }

    fn begin_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.string.start = self.written.get();
        self.string.plain = 0;
        if self.position == Position::Key {
            self.position = Position::InKey;
            self.string.key_bits = key_bits("");
            self.string.fragments = 0;
        }
        writer.write_all(b"\"")
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        self.string.plain += fragment.len();
        if self.position == Position::InKey {
            self.key_fragment(fragment);
        }
        writer.write_all(fragment.as_bytes())
    }

    fn end_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let (start, end) = (self.string.start, self.written.get() + 1);
        let is_escaped = end - start - 2 > self.string.plain;
        if self.position == Position::InKey {
            self.end_key(is_escaped);
        }
        self.push(match (is_escaped, self.position) {
            (false, _) => RecordedSlot::PlainString(Range { start: start + 1, end: end - 1 }),
            (true, Position::InKey) => RecordedSlot::EscapedKey(Range { start, end }),
            (true, _) => RecordedSlot::EscapedString(Range { start, end }),
        });
        writer.write_all(b"\"")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open()?;
        writer.write_all(b"[")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin_entry();
        writer.write_all(if first { b"" } else { b"," })
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(RecordedSlot::Array);
        writer.write_all(b"]")
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open()?;
        writer.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin_entry();
        self.position = Position::Key;
        writer.write_all(if first { b"" } else { b"," })
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.position = Position::Value;
        Ok(())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin_part();
        writer.write_all(b":")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(RecordedSlot::Object);
        writer.write_all(b"}")
    }
}
