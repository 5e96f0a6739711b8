//! Writes the key of a map. It is a string in JSON, and may be a number, a boolean or a character in Rust.

use std::fmt;

use serde::Serialize;
use serde::ser::{Error as _, Impossible, Serializer};
use serde_json::Error;
use serde_json::ser::{CompactFormatter, Formatter};

use super::compound::Compound;
use super::string::Span;

pub(super) struct KeyWriter<'k, 'w>(pub(super) &'k mut Compound<'w>);

impl KeyWriter<'_, '_> {
    /// Writes a number between quotes.
    fn digits<E>(self, write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>) -> Result<(), Error> {
        self.0.key_with(|writer| {
            let start = writer.bytes.len();
            writer.bytes.push(b'"');
            // Writing to a list cannot fail.
            let _ = write(&mut writer.bytes);
            writer.bytes.push(b'"');
            Ok(Span { start, end: writer.bytes.len(), is_escaped: false })
        })
    }
}

fn not_a_string<T>() -> Result<T, Error> {
    Err(Error::custom("key must be a string"))
}

macro_rules! numbers {
    ($($method:ident($kind:ty): $write:ident)+) => {$(
        fn $method(self, number: $kind) -> Result<(), Error> {
            self.digits(|bytes| CompactFormatter.$write(bytes, number))
        }
    )+};
}

macro_rules! floats {
    ($($method:ident($kind:ty): $write:ident)+) => {$(
        fn $method(self, number: $kind) -> Result<(), Error> {
            if !number.is_finite() {
                return Err(Error::custom("float key must be finite (got NaN or +/-inf)"));
            }
            self.digits(|bytes| CompactFormatter.$write(bytes, number))
        }
    )+};
}

impl Serializer for KeyWriter<'_, '_> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    numbers! {
        serialize_i8(i8): write_i8
        serialize_i16(i16): write_i16
        serialize_i32(i32): write_i32
        serialize_i64(i64): write_i64
        serialize_i128(i128): write_i128
        serialize_u8(u8): write_u8
        serialize_u16(u16): write_u16
        serialize_u32(u32): write_u32
        serialize_u64(u64): write_u64
        serialize_u128(u128): write_u128
    }

    floats! {
        serialize_f32(f32): write_f32
        serialize_f64(f64): write_f64
    }

    fn serialize_bool(self, flag: bool) -> Result<(), Error> {
        self.serialize_str(if flag { "true" } else { "false" })
    }

    fn serialize_char(self, character: char) -> Result<(), Error> {
        self.serialize_str(character.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, key: &str) -> Result<(), Error> {
        self.0.key(key);
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, text: &T) -> Result<(), Error> {
        self.0.key_with(|writer| writer.quote_display(format_args!("{text}")))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Error> {
        not_a_string()
    }

    fn serialize_none(self) -> Result<(), Error> {
        not_a_string()
    }

    fn serialize_unit(self) -> Result<(), Error> {
        not_a_string()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        not_a_string()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        not_a_string()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        not_a_string()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        not_a_string()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        not_a_string()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        not_a_string()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
        not_a_string()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
        not_a_string()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        not_a_string()
    }
}

#[cfg(test)]
mod tests {
    use serde::ser::SerializeMap as _;

    use super::*;
    use crate::json::writer::{JsonText, WriteError};

    /// An object of two properties, the first of which has this key.
    struct Object<K>(K);

    impl<K: Serialize> Serialize for Object<K> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut properties = serializer.serialize_map(None)?;
            properties.serialize_entry(&self.0, &1)?;
            properties.serialize_entry("second", &2)?;
            properties.end()
        }
    }

    struct Bytes;

    impl Serialize for Bytes {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(b"bytes")
        }
    }

    #[derive(Serialize)]
    struct Unit;

    #[derive(Serialize)]
    struct Newtype<T>(T);

    #[derive(Serialize)]
    enum Kind {
        Unit,
        Newtype(u8),
    }

    #[track_caller]
    fn assert_as_serde_json(key: impl Serialize) {
        let object = Object(key);
        let written = match JsonText::write(&object) {
            Ok(text) => Ok(text.as_str().to_owned()),
            Err(WriteError::Serialize(error)) => Err(error.to_string()),
            Err(other) => panic!("{other:?}"),
        };
        assert_eq!(written, serde_json::to_string(&object).map_err(|error| error.to_string()));
    }

    #[test]
    fn keys_are_written_as_serde_json_writes_them() {
        assert_as_serde_json('"');
        assert_as_serde_json("two\nlines");
        assert_as_serde_json(Kind::Unit);
        assert_as_serde_json(Newtype(-1));
        assert_as_serde_json(Newtype(Newtype("a")));
        assert_as_serde_json(Some(true));
        assert_as_serde_json(Some(1.5));
        assert_as_serde_json(format_args!("\"{}\" and {}", 1, 2));
    }

    #[test]
    fn keys_that_serde_json_refuses_are_refused_with_its_message() {
        assert_as_serde_json(None::<u8>);
        assert_as_serde_json(());
        assert_as_serde_json(Unit);
        assert_as_serde_json(Kind::Newtype(1));
        assert_as_serde_json(Bytes);
        assert_as_serde_json([1]);
        assert_as_serde_json(f32::NAN);
        assert_as_serde_json(f64::INFINITY);
    }
}
