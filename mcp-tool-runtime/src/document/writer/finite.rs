//! Looks through a value for a number that JSON cannot write, and says where it is.

use std::fmt::Display;

use serde::ser::{self, Serialize, Serializer};

use crate::ToolError;
use crate::document::path::{Path, Step};

/// Passes when every number in the value is finite.
pub(super) fn check<T: Serialize + ?Sized>(value: &T) -> Result<(), ToolError> {
    let Err(Stop(mut path)) = value.serialize(Walk) else { return Ok(()) };
    path.reverse();
    let place = if path.is_root() { "the value".to_owned() } else { format!("`{path}`") };
    Err(ToolError::invalid_result(format!("{place} is not finite")))
}

/// Ends the walk. The path is laid on the way out, innermost step first.
#[derive(Debug)]
struct Stop(Path);

impl Stop {
    fn here() -> Self {
        Self(Path::default())
    }

    fn under(mut self, step: Step) -> Self {
        self.0.push(step);
        self
    }
}

impl Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not finite")
    }
}

impl std::error::Error for Stop {}

impl ser::Error for Stop {
    fn custom<T: Display>(_: T) -> Self {
        Self::here()
    }
}

/// A serializer without an output.
struct Walk;

/// The members of one value: `index` counts the elements of a sequence, `key` is the last key of a map.
#[derive(Default)]
struct Members {
    variant: Option<&'static str>,
    index: usize,
    key: String,
}

impl Members {
    fn of_variant(variant: &'static str) -> Self {
        Self { variant: Some(variant), ..Self::default() }
    }

    fn visit<T: Serialize + ?Sized>(&self, step: impl FnOnce() -> Step, value: &T) -> Result<(), Stop> {
        value.serialize(Walk).map_err(|stop| {
            let below = stop.under(step());
            match self.variant {
                Some(variant) => below.under(Step::Key(variant.to_owned())),
                None => below,
            }
        })
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        self.visit(|| Step::Index(self.index), value)?;
        self.index += 1;
        Ok(())
    }
}

/// The text of a key. The value's text was written before, so the key has one of the kinds that serialise to a string.
fn text_of<T: Serialize + ?Sized>(key: &T) -> String {
    serde_json::to_string(key).map_or_else(|_| String::from("?"), |key| key.trim_matches('"').to_owned())
}

macro_rules! passes {
    ($($method:ident($kind:ty))+) => {$(
        fn $method(self, _: $kind) -> Result<(), Stop> {
            Ok(())
        }
    )+};
}

impl Serializer for Walk {
    type Ok = ();
    type Error = Stop;
    type SerializeSeq = Members;
    type SerializeTuple = Members;
    type SerializeTupleStruct = Members;
    type SerializeTupleVariant = Members;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Members;

    passes! {
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_i128(i128) serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
        serialize_u128(u128) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8])
        serialize_unit_struct(&'static str)
    }

    fn serialize_f32(self, number: f32) -> Result<(), Stop> {
        if number.is_finite() { Ok(()) } else { Err(Stop::here()) }
    }

    fn serialize_f64(self, number: f64) -> Result<(), Stop> {
        if number.is_finite() { Ok(()) } else { Err(Stop::here()) }
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
        Members::default().visit(|| Step::Key(variant.to_owned()), value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Members, Stop> {
        Ok(Members::default())
    }

    fn serialize_tuple(self, _: usize) -> Result<Members, Stop> {
        Ok(Members::default())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Members, Stop> {
        Ok(Members::default())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members, Stop> {
        Ok(Members::of_variant(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members, Stop> {
        Ok(Members::default())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members, Stop> {
        Ok(Members::default())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members, Stop> {
        Ok(Members::of_variant(variant))
    }

    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Result<(), Stop> {
        Ok(())
    }
}

macro_rules! elements {
    ($($compound:ident::$method:ident)+) => {$(
        impl ser::$compound for Members {
            type Ok = ();
            type Error = Stop;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
                self.element(value)
            }

            fn end(self) -> Result<(), Stop> {
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
        impl ser::$compound for Members {
            type Ok = ();
            type Error = Stop;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Stop> {
                self.visit(|| Step::Key(key.to_owned()), value)
            }

            fn end(self) -> Result<(), Stop> {
                Ok(())
            }
        }
    )+};
}

fields!(SerializeStruct SerializeStructVariant);

impl ser::SerializeMap for Members {
    type Ok = ();
    type Error = Stop;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Stop> {
        self.key = text_of(key);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        let key = std::mem::take(&mut self.key);
        self.visit(|| Step::Key(key), value)
    }

    fn serialize_entry<K: Serialize + ?Sized, T: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &T,
    ) -> Result<(), Stop> {
        self.visit(|| Step::Key(text_of(key)), value)
    }

    fn end(self) -> Result<(), Stop> {
        Ok(())
    }
}
