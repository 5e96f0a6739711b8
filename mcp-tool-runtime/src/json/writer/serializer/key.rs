//! Writes the key of a map. It is a string in JSON, and may be a number, a boolean or a character in Rust.

use std::io::{Result, Write};

use serde::{Serialize, Serializer as _};
use serde_json::ser::{Formatter, Serializer};

/// Appends the JSON string of a key: `serde_json` writes an object of this one property, without anything around the key.
pub(super) fn write<T: Serialize + ?Sized>(bytes: &mut Vec<u8>, key: &T) -> std::result::Result<(), serde_json::Error> {
    Serializer::with_formatter(bytes, KeyOnly).collect_map([(key, ())])
}

struct KeyOnly;

impl Formatter for KeyOnly {
    fn begin_object<W: Write + ?Sized>(&mut self, _: &mut W) -> Result<()> {
        Ok(())
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, _: &mut W) -> Result<()> {
        Ok(())
    }

    fn write_null<W: Write + ?Sized>(&mut self, _: &mut W) -> Result<()> {
        Ok(())
    }

    fn end_object<W: Write + ?Sized>(&mut self, _: &mut W) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde::ser::{SerializeMap as _, Serializer};

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
