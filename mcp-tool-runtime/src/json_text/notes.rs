//! Notes, while a value is written, what it consists of, so that its text need not be read again for its check.

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, Cursor, Write};

use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter, Serializer};

use super::Text;
use crate::arguments::number::Numeral;
use crate::arguments::read::{self, MAX_DEPTH, Mark, Marks};
use crate::arguments::tape::{Extent, Slot, Slots, View};
use crate::kept;

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
        kept::keep(&KEPT, std::mem::take(&mut self.0));
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
    let mut bytes = Text::room();
    let notes = List(kept::take(&KEPT));
    let mut listener = Listener { notes, ..Listener::default() };
    value.serialize(&mut Serializer::with_formatter(&mut bytes, &mut listener))?;
    let is_unknown = listener.is_unknown || listener.at != bytes.len();
    let text = Text::of(bytes)?;
    let all = List(kept::fitting(&KEPT, std::mem::take(&mut listener.notes.0)));
    Ok((text, Notes { all, is_unknown, may_repeat: listener.may_repeat }))
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
        let has_twice = self.may_repeat && document.objects().any(|members| read::duplicate(members).is_some());
        (!has_twice).then(|| at(document))
    }
}

impl Note {
    fn slot(self, text: &str) -> Option<Slot<'_>> {
        Some(match self {
            Self::Null => Slot::Null,
            Self::Bool(flag) => Slot::Bool(flag),
            Self::Number(number) => Slot::Number(number),
            Self::Written(range) => Slot::Written(range.of(text)?),
            Self::Plain(range) => Slot::String(Cow::Borrowed(range.of(text)?)),
            Self::Quoted(range) => Slot::Quoted(range.of(text)?),
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
#[derive(Default)]
struct Listener {
    notes: List,
    /// How much was written, in bytes.
    at: usize,
    /// The array or object that is written.
    within: Option<Within>,
    /// The arrays and objects around it.
    around: Vec<Within>,
    /// Where the string that is written begins.
    start: usize,
    part: Part,
    is_escaped: bool,
    /// The [mark](read::mark) of the key that is written, if it comes in one piece.
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

impl Listener {
    /// Writes bytes whose number is known.
    fn write<W: ?Sized + Write>(&mut self, writer: &mut W, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len();
        writer.write_all(bytes)
    }

    fn scalar(&mut self, note: Note) {
        if self.part == Part::InKey {
            // The digits may be a string's too.
            self.may_repeat = true;
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
        self.mark = read::mark(piece);
        self.pieces += 1;
    }

    /// Notes that a key has ended.
    fn key(&mut self) {
        if let Some(within) = &mut self.within {
            self.may_repeat |= within.seen.may_have(self.mark) || self.pieces > 1 || self.is_escaped;
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

    /// Writes a number by way of a buffer, which tells its length, and gives its place in the text.
    fn number<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        write: impl FnOnce(&mut Cursor<[u8; LONGEST_NUMBER]>) -> io::Result<()>,
    ) -> io::Result<Range> {
        let mut buffer = Cursor::new([0; LONGEST_NUMBER]);
        write(&mut buffer)?;
        let length = usize::try_from(buffer.position()).unwrap_or(LONGEST_NUMBER);
        let start = self.at;
        self.write(writer, &buffer.get_ref()[..length])?;
        Ok(Range { start, end: self.at })
    }

    fn open(&mut self) {
        self.around.extend(self.within);
        self.is_unknown |= self.around.len() >= MAX_DEPTH;
        self.within = Some(Within { head: self.notes.0.len(), len: 0, seen: Marks::default() });
        self.push(Note::Null);
    }

    /// Another element or member begins.
    fn count(&mut self) {
        if let Some(within) = &mut self.within {
            within.len += 1;
        }
    }

    fn close(&mut self, closed: impl FnOnce(Extent) -> Note) {
        if let Some(Within { head, len, .. }) = self.within {
            let span = self.notes.0.len() - head - 1;
            self.notes.0[head] = closed(Extent { len, span });
            self.within = self.around.pop();
        }
    }
}

/// More bytes than any number of 128 bits has.
const LONGEST_NUMBER: usize = 64;

/// `serde_json`'s own way to write each thing.
struct Compact;

impl Formatter for Compact {}

macro_rules! numbers {
    ($($method:ident $kind:ty: $note:ident)+) => {$(
        fn $method<W: ?Sized + Write>(&mut self, writer: &mut W, number: $kind) -> io::Result<()> {
            self.$note(number.into());
            self.number(writer, |buffer| Compact.$method(buffer, number)).map(drop)
        }
    )+};
}

macro_rules! digits {
    ($($method:ident $kind:ty)+) => {$(
        fn $method<W: ?Sized + Write>(&mut self, writer: &mut W, number: $kind) -> io::Result<()> {
            let range = self.number(writer, |buffer| Compact.$method(buffer, number))?;
            self.scalar(Note::Written(range));
            Ok(())
        }
    )+};
}

impl Formatter for &mut Listener {
    numbers! {
        write_i8 i8: signed write_i16 i16: signed write_i32 i32: signed write_i64 i64: signed
        write_u8 u8: unsigned write_u16 u16: unsigned write_u32 u32: unsigned write_u64 u64: unsigned
        write_f64 f64: float
    }

    // What a reader takes these for is in their digits: the nearest number of 64 bits.
    digits! { write_i128 i128 write_u128 u128 write_f32 f32 }

    fn write_number_str<W: ?Sized + Write>(&mut self, writer: &mut W, number: &str) -> io::Result<()> {
        self.is_unknown = true;
        self.write(writer, number.as_bytes())
    }

    fn write_null<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.scalar(Note::Null);
        self.write(writer, b"null")
    }

    fn write_bool<W: ?Sized + Write>(&mut self, writer: &mut W, flag: bool) -> io::Result<()> {
        self.scalar(Note::Bool(flag));
        self.write(writer, if flag { b"true" } else { b"false" })
    }

    fn begin_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.start = self.at;
        self.is_escaped = false;
        if self.part == Part::Key {
            self.part = Part::InKey;
            self.mark = read::mark("");
            self.pieces = 0;
        }
        self.write(writer, b"\"")
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        if self.part == Part::InKey {
            self.piece_of_key(fragment);
        }
        self.write(writer, fragment.as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        self.is_escaped = true;
        // A backslash and a letter, or `\u` and four digits.
        self.at += if matches!(escape, CharEscape::AsciiControl(_)) { 6 } else { 2 };
        Compact.write_char_escape(writer, escape)
    }

    fn end_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let (start, end) = (self.start, self.at + 1);
        if self.part == Part::InKey {
            self.key();
        }
        self.push(match (self.is_escaped, self.part) {
            (false, _) => Note::Plain(Range { start: start + 1, end: end - 1 }),
            (true, Part::InKey) => Note::QuotedKey(Range { start, end }),
            (true, _) => Note::Quoted(Range { start, end }),
        });
        self.write(writer, b"\"")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open();
        self.write(writer, b"[")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.count();
        self.write(writer, if first { b"" } else { b"," })
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(Note::Array);
        self.write(writer, b"]")
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open();
        self.write(writer, b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.count();
        self.part = Part::Key;
        self.write(writer, if first { b"" } else { b"," })
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.part = Part::Value;
        Ok(())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.write(writer, b":")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(Note::Object);
        self.write(writer, b"}")
    }

    fn write_raw_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        self.is_unknown = true;
        self.write(writer, fragment.as_bytes())
    }
}
