//! Looks through a value for a number that JSON cannot write, and says where it is.

use std::fmt::Display;

use serde::ser::{self, Serialize, Serializer};

use crate::ToolError;
use crate::path::{Path, Step};

/// Passes when every number in the value is finite.
pub(super) fn check<T: Serialize + ?Sized>(value: &T) -> Result<(), ToolError> {
    let mut path = Path::default();
    let Err(Stop) = value.serialize(Walk { path: &mut path }) else { return Ok(()) };
    let place = if path.is_root() { "the value".to_owned() } else { format!("`{path}`") };
    Err(ToolError::invalid_result(format!("{place} is not finite")))
}

/// Ends the walk; the path then says where.
#[derive(Debug)]
struct Stop;

impl Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not finite")
    }
}

impl std::error::Error for Stop {}

impl ser::Error for Stop {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

/// A serializer without an output. It leaves the path where it stopped.
struct Walk<'p> {
    path: &'p mut Path,
}

/// The members of one value; `index` counts the elements of a sequence, `key` holds the last key of a map.
struct Members<'p> {
    path: &'p mut Path,
    index: usize,
    key: String,
    depth: usize,
}

impl<'p> Walk<'p> {
    fn members(self) -> Members<'p> {
        Members { path: self.path, index: 0, key: String::new(), depth: 0 }
    }

    fn variant(self, variant: &'static str) -> Members<'p> {
        self.path.push(Step::Key(variant.to_owned()));
        Members { path: self.path, index: 0, key: String::new(), depth: 1 }
    }
}

impl Members<'_> {
    fn visit<T: Serialize + ?Sized>(&mut self, step: Step, value: &T) -> Result<(), Stop> {
        self.path.push(step);
        value.serialize(Walk { path: self.path })?;
        self.path.pop();
        Ok(())
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        self.index += 1;
        self.visit(Step::Index(self.index - 1), value)
    }

    fn close(self) {
        for _ in 0..self.depth {
            self.path.pop();
        }
    }
}

macro_rules! passes {
    ($($method:ident($kind:ty))+) => {$(
        fn $method(self, _: $kind) -> Result<(), Stop> {
            Ok(())
        }
    )+};
}

impl<'p> Serializer for Walk<'p> {
    type Ok = ();
    type Error = Stop;
    type SerializeSeq = Members<'p>;
    type SerializeTuple = Members<'p>;
    type SerializeTupleStruct = Members<'p>;
    type SerializeTupleVariant = Members<'p>;
    type SerializeMap = Members<'p>;
    type SerializeStruct = Members<'p>;
    type SerializeStructVariant = Members<'p>;

    passes! {
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_i128(i128) serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
        serialize_u128(u128) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8])
        serialize_unit_struct(&'static str)
    }

    fn serialize_f32(self, number: f32) -> Result<(), Stop> {
        if number.is_finite() { Ok(()) } else { Err(Stop) }
    }

    fn serialize_f64(self, number: f64) -> Result<(), Stop> {
        if number.is_finite() { Ok(()) } else { Err(Stop) }
    }

    fn serialize_none(self) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Stop> {
        self.members().visit(Step::Key(variant.to_owned()), value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Members<'p>, Stop> {
        Ok(self.members())
    }

    fn serialize_tuple(self, _: usize) -> Result<Members<'p>, Stop> {
        Ok(self.members())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Members<'p>, Stop> {
        Ok(self.members())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members<'p>, Stop> {
        Ok(self.variant(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'p>, Stop> {
        Ok(self.members())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'p>, Stop> {
        Ok(self.members())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members<'p>, Stop> {
        Ok(self.variant(variant))
    }

    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Result<(), Stop> {
        Ok(())
    }
}

macro_rules! elements {
    ($($compound:ident::$method:ident)+) => {$(
        impl ser::$compound for Members<'_> {
            type Ok = ();
            type Error = Stop;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
                self.element(value)
            }

            fn end(self) -> Result<(), Stop> {
                self.close();
                Ok(())
            }
        }
    )+};
}

elements! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
    SerializeTupleVariant::serialize_field
}

macro_rules! fields {
    ($($compound:ident)+) => {$(
        impl ser::$compound for Members<'_> {
            type Ok = ();
            type Error = Stop;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Stop> {
                self.visit(Step::Key(key.to_owned()), value)
            }

            fn end(self) -> Result<(), Stop> {
                self.close();
                Ok(())
            }
        }
    )+};
}

fields!(SerializeStruct SerializeStructVariant);

impl ser::SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Stop;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Stop> {
        // The text was written before, so the key has one of the kinds that serialise to a string.
        self.key =
            serde_json::to_string(key).map_or_else(|_| String::from("?"), |key| key.trim_matches('"').to_owned());
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        let key = std::mem::take(&mut self.key);
        self.visit(Step::Key(key), value)
    }

    fn end(self) -> Result<(), Stop> {
        self.close();
        Ok(())
    }
}
