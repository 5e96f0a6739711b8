//! Arrays and objects that are being written.

use serde::Serialize;
use serde::ser::{self, Error as _, Serializer as _};
use serde_json::Error;

use super::serializer::Writer;
use crate::json::reader::KeyFilter;
use crate::json::string::Span;

/// An array or an object that is still open.
pub(super) struct Compound<'w> {
    pub(super) writer: &'w mut Writer,
    /// The index of the slot of the array or the object.
    head: usize,
    len: usize,
    keys: KeyFilter,
    /// Whether a key of a map has been written, but not yet its value.
    has_key: bool,
    /// Whether this is a struct whose only field is raw JSON text.
    is_raw: bool,
    /// The index of the surrounding object's slot, if this is the content of an enum variant.
    outer: Option<usize>,
}

impl<'w> Compound<'w> {
    fn new(writer: &'w mut Writer, head: usize) -> Self {
        Self { writer, head, len: 0, keys: KeyFilter::default(), has_key: false, is_raw: false, outer: None }
    }

    pub(super) fn open(writer: &'w mut Writer, bracket: u8) -> Result<Self, Error> {
        let head = writer.open(bracket)?;
        Ok(Self::new(writer, head))
    }

    /// Begins a struct whose only field is raw JSON text. Only that text is written, without brackets or a key.
    #[cold]
    pub(super) fn raw(writer: &'w mut Writer) -> Self {
        writer.expects_raw = true;
        Self { is_raw: true, ..Self::new(writer, 0) }
    }

    /// Opens the content of an enum variant inside this object.
    pub(super) fn variant(mut self, variant: &'static str, bracket: u8) -> Result<Self, Error> {
        self.key(variant);
        let head = self.writer.open(bracket)?;
        Ok(Self { outer: Some(self.head), ..Self::new(self.writer, head) })
    }

    fn comma(&mut self) {
        if self.len > 0 {
            self.writer.bytes.push(b',');
        }
        self.len += 1;
    }

    /// Writes a key and the colon after it.
    pub(super) fn key(&mut self, key: &'static str) {
        self.comma();
        self.writer.key(key, &mut self.keys);
    }

    /// Writes a key of a map and the colon after it. The key need not be a string.
    fn map_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.comma();
        let Writer { bytes, recording, .. } = &mut *self.writer;
        let start = bytes.len();
        // Let `serde_json` write the key, as a part of the object `{"key":null}`.
        serde_json::Serializer::new(&mut *bytes).collect_map([(key, ())])?;
        bytes.truncate(bytes.len() - ":null}".len());
        bytes.remove(start);
        let end = bytes.len();
        match std::str::from_utf8(&bytes[start + 1..end - 1]) {
            Ok(key) if !key.contains('\\') => {
                recording.key_of_text(key, Span { start, end, is_escaped: false }, &mut self.keys);
            }
            _ => recording.key(serde_json::from_slice::<String>(&bytes[start..])?.into(), &mut self.keys),
        }
        bytes.push(b':');
        Ok(())
    }

    pub(super) fn close(self, bracket: u8) {
        self.writer.close(self.head, self.len, bracket);
        if let Some(outer) = self.outer {
            self.writer.close(outer, 1, b'}');
        }
    }
}

macro_rules! arrays {
    ($($compound:ident::$method:ident)+) => {$(
        impl ser::$compound for Compound<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.comma();
                self.writer.part(value)
            }

            fn end(self) -> Result<(), Error> {
                self.close(b']');
                Ok(())
            }
        }
    )+};
}

arrays! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
    SerializeTupleVariant::serialize_field
}

macro_rules! structs {
    ($($compound:ident)+) => {$(
        impl ser::$compound for Compound<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
                if !self.is_raw {
                    self.key(key);
                }
                self.writer.part(value)
            }

            fn end(self) -> Result<(), Error> {
                if self.is_raw {
                    let is_missing = std::mem::take(&mut self.writer.expects_raw);
                    return if is_missing { Err(Error::custom("expected raw JSON text")) } else { Ok(()) };
                }
                self.close(b'}');
                Ok(())
            }
        }
    )+};
}

structs! { SerializeStruct SerializeStructVariant }

impl ser::SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.writer.unfinished += 1;
        if std::mem::replace(&mut self.has_key, true) {
            return Err(Error::custom("a key without a value"));
        }
        self.map_key(key)?;
        self.writer.unfinished -= 1;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        if !std::mem::replace(&mut self.has_key, false) {
            self.writer.unfinished += 1;
        }
        self.writer.part(value)
    }

    fn end(self) -> Result<(), Error> {
        self.writer.unfinished += usize::from(self.has_key);
        self.close(b'}');
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
