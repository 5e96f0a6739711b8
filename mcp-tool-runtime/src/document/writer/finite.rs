//! Finds a NaN or an infinity in a value, because JSON cannot represent it.

use std::fmt::{self, Display};

use serde::ser::{self, Serialize, Serializer};
use serde_json::Value;

use crate::document::path::{Path, Step};

/// Checks that every number in the value is finite. Returns the path of one that is not.
pub(super) fn check<T: Serialize + ?Sized>(value: &T) -> Result<(), Path> {
    value.serialize(FiniteCheck).map_err(|NotFinite(mut path)| {
        path.reverse();
        path
    })
}

/// The error that ends the check. Steps are pushed on the way out, innermost first.
#[derive(Debug)]
struct NotFinite(Path);

impl NotFinite {
    fn here() -> Self {
        Self(Path::default())
    }

    fn under(mut self, step: Step) -> Self {
        self.0.push(step);
        self
    }
}

impl Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not finite")
    }
}

impl std::error::Error for NotFinite {}

impl ser::Error for NotFinite {
    fn custom<T: Display>(_: T) -> Self {
        Self::here()
    }
}

/// A serializer that writes nothing and fails at a number that is not finite.
struct FiniteCheck;

/// An array or an object while its values are checked.
#[derive(Default)]
struct Compound {
    /// The enum variant that contains the values, one more step of their path.
    variant: Option<&'static str>,
    /// The index of the next element of a sequence.
    index: usize,
    /// The last key of a map.
    key: String,
}

impl Compound {
    fn of_variant(variant: &'static str) -> Self {
        Self { variant: Some(variant), ..Self::default() }
    }

    fn check<T: Serialize + ?Sized>(&self, step: impl FnOnce() -> Step, value: &T) -> Result<(), NotFinite> {
        value.serialize(FiniteCheck).map_err(|error| {
            let error = error.under(step());
            match self.variant {
                Some(variant) => error.under(Step::Key(variant.into())),
                None => error,
            }
        })
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFinite> {
        self.check(|| Step::Index(self.index), value)?;
        self.index += 1;
        Ok(())
    }
}

/// Returns a key's text. The value has been written before, so its keys are scalars.
fn key_text<T: Serialize + ?Sized>(key: &T) -> String {
    match serde_json::to_value(key) {
        Ok(Value::String(text)) => text,
        Ok(other) => other.to_string(),
        Err(_) => String::from("?"),
    }
}

macro_rules! accept {
    ($($method:ident($kind:ty))+) => {$(
        fn $method(self, _: $kind) -> Result<(), NotFinite> {
            Ok(())
        }
    )+};
}

impl Serializer for FiniteCheck {
    type Ok = ();
    type Error = NotFinite;
    type SerializeSeq = Compound;
    type SerializeTuple = Compound;
    type SerializeTupleStruct = Compound;
    type SerializeTupleVariant = Compound;
    type SerializeMap = Compound;
    type SerializeStruct = Compound;
    type SerializeStructVariant = Compound;

    accept! {
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_i128(i128) serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
        serialize_u128(u128) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8])
        serialize_unit_struct(&'static str)
    }

    fn serialize_f32(self, number: f32) -> Result<(), NotFinite> {
        if number.is_finite() { Ok(()) } else { Err(NotFinite::here()) }
    }

    fn serialize_f64(self, number: f64) -> Result<(), NotFinite> {
        if number.is_finite() { Ok(()) } else { Err(NotFinite::here()) }
    }

    fn serialize_none(self) -> Result<(), NotFinite> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), NotFinite> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), NotFinite> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), NotFinite> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), NotFinite> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), NotFinite> {
        Compound::default().check(|| Step::Key(variant.into()), value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound, NotFinite> {
        Ok(Compound::default())
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound, NotFinite> {
        Ok(Compound::default())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Compound, NotFinite> {
        Ok(Compound::default())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound, NotFinite> {
        Ok(Compound::of_variant(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound, NotFinite> {
        Ok(Compound::default())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound, NotFinite> {
        Ok(Compound::default())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Compound, NotFinite> {
        Ok(Compound::of_variant(variant))
    }

    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Result<(), NotFinite> {
        Ok(())
    }
}

macro_rules! elements {
    ($($compound:ident::$method:ident)+) => {$(
        impl ser::$compound for Compound {
            type Ok = ();
            type Error = NotFinite;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFinite> {
                self.element(value)
            }

            fn end(self) -> Result<(), NotFinite> {
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
        impl ser::$compound for Compound {
            type Ok = ();
            type Error = NotFinite;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), NotFinite> {
                self.check(|| Step::Key(key.into()), value)
            }

            fn end(self) -> Result<(), NotFinite> {
                Ok(())
            }
        }
    )+};
}

fields!(SerializeStruct SerializeStructVariant);

impl ser::SerializeMap for Compound {
    type Ok = ();
    type Error = NotFinite;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NotFinite> {
        self.key = key_text(key);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFinite> {
        let key = std::mem::take(&mut self.key);
        self.check(|| Step::Key(key.into()), value)
    }

    fn serialize_entry<K: Serialize + ?Sized, T: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &T,
    ) -> Result<(), NotFinite> {
        self.check(|| Step::Key(key_text(key).into()), value)
    }

    fn end(self) -> Result<(), NotFinite> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_path_has_the_key_itself_and_not_its_json() {
        let key = |key: &str| check(&BTreeMap::from([(key.to_owned(), f64::NAN)])).expect_err("not finite");
        for name in ["a", "\"a\"", "\"", "a\\\"", "\n", ""] {
            assert_eq!(key(name).steps(), [Step::Key(name.into())]);
        }
        let number = check(&BTreeMap::from([(-5, f64::NAN)])).expect_err("not finite");
        assert_eq!(number.steps(), [Step::Key("-5".into())]);
        let letter = check(&BTreeMap::from([('"', f64::NAN)])).expect_err("not finite");
        assert_eq!(letter.steps(), [Step::Key("\"".into())]);
        assert!(check(&BTreeMap::from([(true, 1.0)])).is_ok());
    }
}
