//! Arrays and objects while they are written.

use serde::Serialize;
use serde::ser::{self, Error as _};
use serde_json::Error;

use super::string::Span;
use super::{Writer, key};
use crate::json::duplicate_keys::KeyFilter;

/// An array or an object that is still open.
pub(super) struct Compound<'w> {
    pub(super) writer: &'w mut Writer,
    /// The index of its slot.
    head: usize,
    len: usize,
    keys: KeyFilter,
    /// A key of a map was written, and its value was not.
    has_key: bool,
    /// A struct that stands for raw text.
    is_raw: bool,
    /// The slot of the object around it, if it is the content of an enum variant.
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

    /// Begins a struct whose only field is raw text. It writes no brackets.
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

    /// Writes the key of a map, which may be a number, say, and the colon after it.
    fn map_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.comma();
        let Writer { bytes, recording, .. } = &mut *self.writer;
        let start = bytes.len();
        key::write(bytes, key)?;
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

    pub(super) fn property<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        self.key(key);
        self.writer.part(value)
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.comma();
        self.writer.part(value)
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
                self.element(value)
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
        // It stays if the key panics and a `Serialize` around it catches the panic.
        let has_failed = std::mem::replace(&mut self.writer.has_failed, true);
        let result = if self.has_key { Err(Error::custom("a key without a value")) } else { self.map_key(key) };
        self.writer.has_failed = has_failed || result.is_err();
        self.has_key = true;
        result
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.writer.has_failed |= !self.has_key;
        self.has_key = false;
        self.writer.part(value)
    }

    fn end(self) -> Result<(), Error> {
        self.writer.has_failed |= self.has_key;
        self.close(b'}');
        Ok(())
    }
}
