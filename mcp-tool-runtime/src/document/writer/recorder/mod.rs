//! Notes, while a value is written, what it consists of, so that its text need not be read again for its check.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use super::Text;
use crate::document::buffer_pool;
use crate::document::number::Numeral;
use crate::document::reader::{self, MAX_DEPTH, Mark, Marks};
use crate::document::tape::{Extent, Slot, Slots, View};

#[cfg(test)]
mod tests;

/// What a text consists of.
#[derive(Debug, Clone)]
pub(super) struct Notes {
    all: List,
    /// Whether the text has to be read to know what it consists of: it has parts that were written elsewhere, say.
    is_unknown: bool,
    /// Whether a key may stand in an object twice.
    may_repeat: bool,
}

thread_local! {
    static KEPT: Cell<Vec<Note>> = const { Cell::new(Vec::new()) };
}

/// A list of notes.
#[derive(Debug, Clone, Default)]
struct List(Vec<Note>);

impl Drop for List {
    fn drop(&mut self) {
        buffer_pool::keep(&KEPT, std::mem::take(&mut self.0));
    }
}

/// One slot of the document that a text is, see [`Slot`].
#[derive(Debug, Clone, Copy)]
enum Note {
    Null,
    Bool(bool),
    Number(Numeral),
    Written(Range),
    /// A string without escapes, between its quotes.
    Plain(Range),
    Quoted(Range),
    QuotedKey(Range),
    Array(Extent),
    Object(Extent),
}

/// A part of the text, in bytes.
#[derive(Debug, Clone, Copy)]
struct Range {
    start: usize,
    end: usize,
}

/// Writes a value as compact JSON.
pub(super) fn write<T: Serialize + ?Sized>(value: &T) -> Result<(Text, Notes), serde_json::Error> {
    let length = Cell::new(0);
    let mut output = Output { bytes: Text::room(), length: &length };
    let mut listener = Listener::new(&length);
    value.serialize(&mut Serializer::with_formatter(&mut output, &mut listener))?;
    if listener.is_broken || listener.within.is_some() || listener.notes.0.is_empty() {
        return Err(serde::ser::Error::custom("a part of it was not written, and the error not passed on"));
    }
    let text = Text::of(output.bytes)?;
    let all = List(buffer_pool::fitting(&KEPT, std::mem::take(&mut listener.notes.0)));
    Ok((text, Notes { all, is_unknown: listener.is_unknown, may_repeat: listener.may_repeat }))
}

/// What is written, which lets the listener know how much it is.
struct Output<'o> {
    bytes: Vec<u8>,
    length: &'o Cell<usize>,
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes.extend_from_slice(bytes);
        self.length.set(self.bytes.len());
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Notes {
    /// Whether something in the text is `null`, where that is known.
    pub(super) fn has_null(&self) -> Option<bool> {
        (!self.is_unknown).then(|| self.all.0.iter().any(|note| matches!(note, Note::Null)))
    }

    /// Looks at the document that the text is; `None` when the text has to be read, or has a fault that its reader
    /// tells.
    pub(super) fn look<R>(&self, text: &str, at: impl FnOnce(View<'_>) -> R) -> Option<R> {
        if self.is_unknown {
            return None;
        }
        let notes = &self.all.0;
        if let [note] = notes.as_slice() {
            return Some(at(View::of_slots(&[note.slot(text)?])));
        }
        let mut slots = Slots::with_room_for(notes.len());
        for note in notes {
            slots.push(note.slot(text)?);
        }
        let document = View::of_slots(&slots);
        let has_twice = self.may_repeat && document.objects().any(|members| reader::duplicate(members).is_some());
        (!has_twice).then(|| at(document))
    }
}

impl Note {
    fn slot(self, text: &str) -> Option<Slot<'_>> {
        Some(match self {
            Self::Null => Slot::Null,
            Self::Bool(flag) => Slot::Bool(flag),
            Self::Number(number) => Slot::Number(number),
            Self::Written(range) => Slot::UnparsedNumber(range.of(text)?),
            Self::Plain(range) => Slot::String(Cow::Borrowed(range.of(text)?)),
            Self::Quoted(range) => Slot::EscapedString(range.of(text)?),
            // The names of members are looked at often, so each is read here.
            Self::QuotedKey(range) => Slot::String(Cow::Owned(serde_json::from_str(range.of(text)?).ok()?)),
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

/// What `serde_json` tells of the text that it writes.
struct Listener<'o> {
    notes: List,
    /// How much was written, in bytes.
    length: &'o Cell<usize>,
    /// The array or object that is written.
    within: Option<Within>,
    /// The arrays and objects around it.
    around: Vec<Within>,
    /// Where the string that is written begins, and how many bytes of it were written as they are.
    start: usize,
    plain: usize,
    part: Part,
    /// How many notes there were when the last element, key or value began.
    begun: usize,
    /// Whether something began and was never written.
    is_broken: bool,
    /// The [mark](reader::mark) of the key that is written, if it comes in one piece.
    mark: Mark,
    pieces: usize,
    is_unknown: bool,
    may_repeat: bool,
}

/// An array or an object that has not ended.
#[derive(Clone, Copy)]
struct Within {
    head: usize,
    len: usize,
    seen: Marks,
}

/// What is written next.
#[derive(Clone, Copy, Default, PartialEq)]
enum Part {
    #[default]
    Value,
    Key,
    /// Within a key, where a number stands between quotes.
    InKey,
}

impl<'o> Listener<'o> {
    fn new(length: &'o Cell<usize>) -> Self {
        Self {
            notes: List(buffer_pool::take(&KEPT)),
            length,
            within: None,
            around: Vec::new(),
            start: 0,
            plain: 0,
            part: Part::Value,
            begun: 0,
            is_broken: false,
            mark: Mark::default(),
            pieces: 0,
            is_unknown: false,
            may_repeat: false,
        }
    }

    fn scalar(&mut self, note: Note) {
        if self.part == Part::InKey {
            // The digits may be a string's too, and none of them is escaped.
            self.may_repeat = true;
            self.plain = usize::MAX;
        } else {
            self.push(note);
        }
    }

    fn push(&mut self, note: Note) {
        self.notes.0.push(note);
    }

    /// Keys are few, and long strings come in many pieces: for those this stays out of the way.
    #[inline(never)]
    fn piece_of_key(&mut self, piece: &str) {
        self.mark = reader::mark(piece);
        self.pieces += 1;
    }

    /// Notes that a key has ended.
    fn key(&mut self, is_escaped: bool) {
        if let Some(within) = &mut self.within {
            self.may_repeat |= within.seen.may_have(self.mark) || self.pieces > 1 || is_escaped;
        }
    }

    fn unsigned(&mut self, number: u64) {
        self.scalar(Note::Number(Numeral::Unsigned(number)));
    }

    fn signed(&mut self, number: i64) {
        self.scalar(Note::Number(u64::try_from(number).map_or(Numeral::Signed(number), Numeral::Unsigned)));
    }

    fn float(&mut self, number: f64) {
        self.scalar(Note::Number(Numeral::Float(number)));
    }

    fn open(&mut self) {
        self.around.extend(self.within);
        self.is_unknown |= self.around.len() >= MAX_DEPTH;
        self.within = Some(Within { head: self.notes.0.len(), len: 0, seen: Marks::default() });
        self.push(Note::Null);
    }

    /// Another element or member begins.
    fn count(&mut self) {
        self.begin();
        if let Some(within) = &mut self.within {
            within.len += 1;
        }
    }

    /// An element, a key or a value begins; the one before has ended.
    fn begin(&mut self) {
        self.end();
        self.begun = self.notes.0.len();
    }

    /// What began has ended. A type that does not pass on the error of a part goes on as if that were written.
    fn end(&mut self) {
        self.is_broken |= self.begun == self.notes.0.len();
    }

    fn close(&mut self, closed: impl FnOnce(Extent) -> Note) {
        self.end();
        if let Some(Within { head, len, .. }) = self.within {
            let span = self.notes.0.len() - head - 1;
            self.notes.0[head] = closed(Extent { len, span });
            self.within = self.around.pop();
        }
    }
}

/// `serde_json`'s own way to write each thing.
struct Compact;

impl Formatter for Compact {}

macro_rules! numbers {
    ($($method:ident $kind:ty: $note:ident)+) => {$(
        fn $method<W: ?Sized + Write>(&mut self, writer: &mut W, number: $kind) -> io::Result<()> {
            self.$note(number.into());
            Compact.$method(writer, number)
        }
    )+};
}

macro_rules! digits {
    ($($method:ident $kind:ty)+) => {$(
        fn $method<W: ?Sized + Write>(&mut self, writer: &mut W, number: $kind) -> io::Result<()> {
            let start = self.length.get();
            Compact.$method(writer, number)?;
            self.scalar(Note::Written(Range { start, end: self.length.get() }));
            Ok(())
        }
    )+};
}

impl Formatter for &mut Listener<'_> {
    numbers! {
        write_i8 i8: signed write_i16 i16: signed write_i32 i32: signed write_i64 i64: signed
        write_u8 u8: unsigned write_u16 u16: unsigned write_u32 u32: unsigned write_u64 u64: unsigned
        write_f64 f64: float
    }

    // What a reader takes these for is in their digits: the nearest number of 64 bits.
    digits! { write_i128 i128 write_u128 u128 write_f32 f32 }

    fn write_number_str<W: ?Sized + Write>(&mut self, writer: &mut W, number: &str) -> io::Result<()> {
        self.is_unknown = true;
        self.push(Note::Null);
        writer.write_all(number.as_bytes())
    }

    fn write_null<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.scalar(Note::Null);
        writer.write_all(b"null")
    }

    fn write_bool<W: ?Sized + Write>(&mut self, writer: &mut W, flag: bool) -> io::Result<()> {
        self.scalar(Note::Bool(flag));
        writer.write_all(if flag { b"true" } else { b"false" })
    }

    fn begin_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.start = self.length.get();
        self.plain = 0;
        if self.part == Part::Key {
            self.part = Part::InKey;
            self.mark = reader::mark("");
            self.pieces = 0;
        }
        writer.write_all(b"\"")
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        self.plain += fragment.len();
        if self.part == Part::InKey {
            self.piece_of_key(fragment);
        }
        writer.write_all(fragment.as_bytes())
    }

    fn end_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let (start, end) = (self.start, self.length.get() + 1);
        let is_escaped = end - start - 2 > self.plain;
        if self.part == Part::InKey {
            self.key(is_escaped);
        }
        self.push(match (is_escaped, self.part) {
            (false, _) => Note::Plain(Range { start: start + 1, end: end - 1 }),
            (true, Part::InKey) => Note::QuotedKey(Range { start, end }),
            (true, _) => Note::Quoted(Range { start, end }),
        });
        writer.write_all(b"\"")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open();
        writer.write_all(b"[")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.count();
        writer.write_all(if first { b"" } else { b"," })
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(Note::Array);
        writer.write_all(b"]")
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open();
        writer.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.count();
        self.part = Part::Key;
        writer.write_all(if first { b"" } else { b"," })
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.part = Part::Value;
        Ok(())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin();
        writer.write_all(b":")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(Note::Object);
        writer.write_all(b"}")
    }

    fn write_raw_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        self.is_unknown = true;
        self.push(Note::Null);
        writer.write_all(fragment.as_bytes())
    }
}
