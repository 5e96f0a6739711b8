//! A serde serializer that writes the same bytes as `serde_json`: compact JSON.
//!
//! It differs from the serializer of `serde_json` in four ways:
//!
//! - It searches strings eight bytes at a time ([`push_escaped`]). Writing strings with `serde_json` costs the
//!   benchmark `message-text` 15% more instructions, `message-search` 8%, `message-row` 4%, and `message-order` 3%. To
//!   measure it again, let `Writer::quote` call `serde_json::to_writer`, and run `python3 tests/bench/bench.py budget`.
//! - It records the structure of the value while it writes ([`recording`](super::recording)), so the output schema is
//!   checked without parsing the text again.
//! - It returns an error with the path of a number that is not finite, where `serde_json` writes `null`, so no second
//!   pass has to look for one.
//! - It notices a `Serialize` that ignores the error of one of its parts.
//!
//! A `Formatter` of `serde_json` could therefore not replace this serializer, even if it recorded the structure: a
//! formatter does not search strings, and cannot tell a NaN from a `null`. The keys of maps are written by
//! `serde_json`.

use std::fmt::{self, Write as _};

use serde::Serialize;
use serde::ser::{Error as _, Serializer};
use serde_json::Error;
use serde_json::ser::{CompactFormatter, Formatter};

use super::compound::Compound;
use super::recording::{Recording, path_at_end, write_compact};
use super::{DepthLimit, JsonText, RAW_VALUE, WriteError};
use crate::json::number::Numeral;
use crate::json::path::Path;
use crate::json::reader::{KeyFilter, MAX_DEPTH};
use crate::json::string::{Span, push_escaped};
use crate::json::tape::Slot;

#[cfg(test)]
mod tests;

/// The initial capacity of a text in bytes, enough for most values.
const CAPACITY: usize = 512;

impl JsonText {
    /// Writes a value as compact JSON.
    /// # Errors
    ///
    /// The value cannot be written as JSON: see [`WriteError`].
    pub fn write<T: Serialize + ?Sized>(value: &T) -> Result<Self, WriteError> {
        let mut writer = Writer::new();
        let result = value.serialize(&mut writer);
        writer.finish(result)
    }
}

/// Returns `true` if the value has more than this many levels of nesting, or if its implementation of `Serialize`
/// fails: the rest of the value may then have any depth. A number that is not finite counts as `null`.
///
/// ```
/// use mcp_tool_schema::json::writer::is_deeper_than;
///
/// assert!(is_deeper_than(&[[1]], 1) && !is_deeper_than(&[[1]], 2));
/// ```
pub fn is_deeper_than<T: Serialize + ?Sized>(value: &T, levels: usize) -> bool {
    let mut writer = Writer { limit: DepthLimit::new(levels), ignores_not_finite: true, ..Writer::new() };
    value.serialize(&mut writer).is_err() || writer.limit.is_exceeded
}

pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
    pub(super) recording: Recording,
    pub(super) limit: DepthLimit,
    /// Set while the next string is JSON text, which is written without quotes and escapes.
    pub(super) expects_raw: bool,
    /// The path of the first number that is not finite, if there is one.
    not_finite: Option<Path>,
    /// Set if only the depth of the value matters. A number that is not finite is then written as `null`.
    ignores_not_finite: bool,
    /// The number of elements, property values and keys that were started but not finished. It is not 0 at the end if
    /// one of them failed or panicked, and the implementation of `Serialize` around it ignored that.
    pub(super) unfinished: usize,
}

impl Writer {
    pub(super) fn new() -> Self {
        Self {
            bytes: Vec::with_capacity(CAPACITY),
            recording: Recording::new(),
            // Allow one level more than `MAX_DEPTH`, because an array or object at that level is accepted if it is
            // empty. The reader checks that it is empty.
            limit: DepthLimit::new(MAX_DEPTH + 1),
            expects_raw: false,
            not_finite: None,
            ignores_not_finite: false,
            unfinished: 0,
        }
    }

    pub(super) fn finish(self, result: Result<(), Error>) -> Result<JsonText, WriteError> {
        // Check the recorded errors first, because an implementation of `Serialize` can ignore an error.
        if self.limit.is_exceeded {
            return Err(WriteError::TooDeep);
        }
        if let Some(path) = self.not_finite {
            return Err(WriteError::NotFinite(path));
        }
        result.map_err(WriteError::Serialize)?;
        if self.unfinished > 0 || self.limit.levels > 0 || self.bytes.is_empty() {
            let error = Error::custom("`Serialize` ignored an error: a part of the value is missing");
            return Err(WriteError::Serialize(error));
        }
        Ok(JsonText {
            text: String::from_utf8(self.bytes).map_err(|error| WriteError::Serialize(Error::custom(error)))?,
            recording: Some(self.recording),
        })
    }

    /// Writes an element, or the value of a property.
    #[inline]
    pub(super) fn part<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.unfinished += 1;
        value.serialize(&mut *self)?;
        self.unfinished -= 1;
        Ok(())
    }

    /// Opens an array or an object, and returns the index of its slot.
    pub(super) fn open(&mut self, bracket: u8) -> Result<usize, Error> {
        let head = self.recording.open(self.limit.levels);
        self.limit.open()?;
        self.bytes.push(bracket);
        Ok(head)
    }

    /// Closes the array or the object whose slot is at `head`.
    pub(super) fn close(&mut self, head: usize, len: usize, bracket: u8) {
        self.limit.levels -= 1;
        self.bytes.push(bracket);
        self.recording.close(head, len, if bracket == b']' { Slot::Array } else { Slot::Object });
    }

    /// Writes a string without recording it.
    pub(super) fn quote(&mut self, text: &str) -> Span {
        let start = self.bytes.len();
        self.bytes.push(b'"');
        let is_escaped = push_escaped(&mut self.bytes, text);
        self.bytes.push(b'"');
        Span { start, end: self.bytes.len(), is_escaped }
    }

    /// Writes a key and the colon after it. `keys` holds the keys of the object so far.
    pub(super) fn key(&mut self, key: &'static str, keys: &mut KeyFilter) {
        self.quote(key);
        self.recording.key(key.into(), keys);
        self.bytes.push(b':');
    }

    #[cold]
    fn write_raw(&mut self, text: &str) -> Result<(), Error> {
        self.recording.unknown();
        write_compact(&mut self.bytes, text, &mut self.limit)
    }

    /// Writes a number, and records the 64-bit number that a reader parses from its digits. That number may differ from
    /// the original.
    fn write_parsed<E>(&mut self, write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>) {
        let start = self.bytes.len();
        // Writing to a `Vec` cannot fail.
        let _ = write(&mut self.bytes);
        let text = std::str::from_utf8(&self.bytes[start..]).unwrap_or_default();
        self.recording.push(Slot::Number(Numeral::parse(text).unwrap_or(Numeral::Unsigned(0))));
    }

    #[cold]
    fn not_finite(&mut self) -> Result<(), Error> {
        if self.ignores_not_finite {
            return self.serialize_unit();
        }
        self.not_finite.get_or_insert_with(|| path_at_end(std::str::from_utf8(&self.bytes).unwrap_or_default()));
        Err(Error::custom("a number is not finite"))
    }
}

macro_rules! integers {
    ($($method:ident($kind:ty) as $wide:ty: $write:ident)+) => {$(
        #[inline]
        fn $method(self, number: $kind) -> Result<(), Error> {
            self.$write(<$wide>::from(number))
        }
    )+};
}

impl<'w> Serializer for &'w mut Writer {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'w>;
    type SerializeTuple = Compound<'w>;
    type SerializeTupleStruct = Compound<'w>;
    type SerializeTupleVariant = Compound<'w>;
    type SerializeMap = Compound<'w>;
    type SerializeStruct = Compound<'w>;
    type SerializeStructVariant = Compound<'w>;

    integers! {
        serialize_i8(i8) as i64: serialize_i64
        serialize_i16(i16) as i64: serialize_i64
        serialize_i32(i32) as i64: serialize_i64
        serialize_u8(u8) as u64: serialize_u64
        serialize_u16(u16) as u64: serialize_u64
        serialize_u32(u32) as u64: serialize_u64
    }

    fn serialize_bool(self, flag: bool) -> Result<(), Error> {
        self.recording.push(Slot::Bool(flag));
        self.bytes.extend_from_slice(if flag { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_i64(self, number: i64) -> Result<(), Error> {
        let numeral = u64::try_from(number).map_or(Numeral::Signed(number), Numeral::Unsigned);
        self.recording.push(Slot::Number(numeral));
        // Writing to a `Vec` cannot fail, here and below.
        let _ = CompactFormatter.write_i64(&mut self.bytes, number);
        Ok(())
    }

    fn serialize_u64(self, number: u64) -> Result<(), Error> {
        self.recording.push(Slot::Number(Numeral::Unsigned(number)));
        let _ = CompactFormatter.write_u64(&mut self.bytes, number);
        Ok(())
    }

    fn serialize_i128(self, number: i128) -> Result<(), Error> {
        self.write_parsed(|bytes| CompactFormatter.write_i128(bytes, number));
        Ok(())
    }

    fn serialize_u128(self, number: u128) -> Result<(), Error> {
        self.write_parsed(|bytes| CompactFormatter.write_u128(bytes, number));
        Ok(())
    }

    fn serialize_f32(self, number: f32) -> Result<(), Error> {
        if !number.is_finite() {
            return self.not_finite();
        }
        self.write_parsed(|bytes| CompactFormatter.write_f32(bytes, number));
        Ok(())
    }

    fn serialize_f64(self, number: f64) -> Result<(), Error> {
        if !number.is_finite() {
            return self.not_finite();
        }
        self.recording.push(Slot::Number(Numeral::Float(number)));
        let _ = CompactFormatter.write_f64(&mut self.bytes, number);
        Ok(())
    }

    fn serialize_char(self, character: char) -> Result<(), Error> {
        self.serialize_str(character.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        if std::mem::take(&mut self.expects_raw) {
            return self.write_raw(text);
        }
        let span = self.quote(text);
        self.recording.string(span);
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Error> {
        self.collect_seq(bytes)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.recording.push(Slot::Null);
        self.bytes.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.quote(variant);
        self.recording.push(Slot::String(variant.into()));
        Ok(())
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut object = Compound::open(self, b'{')?;
        object.key(variant);
        object.writer.part(value)?;
        object.close(b'}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'w>, Error> {
        Compound::open(self, b'[')
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound<'w>, Error> {
        Compound::open(self, b'[')
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound<'w>, Error> {
        Compound::open(self, b'[')
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'w>, Error> {
        Compound::open(self, b'{')?.variant(variant, b'[')
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'w>, Error> {
        Compound::open(self, b'{')
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Compound<'w>, Error> {
        // With these names, `RawValue` and `Number` of `serde_json` pass JSON text to any serializer. `Number` does so
        // only if a crate enables the feature `arbitrary_precision`.
        match name {
            RAW_VALUE | "$serde_json::private::Number" => Ok(Compound::raw(self)),
            _ => Compound::open(self, b'{'),
        }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound<'w>, Error> {
        Compound::open(self, b'{')?.variant(variant, b'{')
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, text: &T) -> Result<(), Error> {
        let mut written = String::new();
        write!(written, "{text}").map_err(|_| Error::custom("the `Display` of a value failed"))?;
        self.serialize_str(&written)
    }
}
