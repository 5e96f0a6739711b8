//! Reads the key of a map. It is a string in JSON, and may be a number, a boolean or a character in Rust.

use serde::de::value::StrDeserializer;
use serde::de::{Deserializer, Visitor};

use crate::arguments::type_error::TypeError;

pub(super) struct KeyDeserializer<'n> {
    pub(super) key: &'n str,
}

macro_rules! parsed_keys {
    ($($method:ident $visit:ident $description:literal)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
            match self.key.parse() {
                Ok(key) => visitor.$visit(key),
                Err(_) => Err(TypeError::new(concat!("expected a property name ", $description))),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for KeyDeserializer<'_> {
    type Error = TypeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        visitor.visit_str(self.key)
    }

    parsed_keys! {
        deserialize_bool visit_bool "that is `true` or `false`"
        deserialize_i8 visit_i8 "that is an integer from -128 to 127"
        deserialize_i16 visit_i16 "that is an integer from -32768 to 32767"
        deserialize_i32 visit_i32 "that is an integer from -2147483648 to 2147483647"
        deserialize_i64 visit_i64 "that is an integer"
        deserialize_i128 visit_i128 "that is an integer"
        deserialize_u8 visit_u8 "that is an integer from 0 to 255"
        deserialize_u16 visit_u16 "that is an integer from 0 to 65535"
        deserialize_u32 visit_u32 "that is an integer from 0 to 4294967295"
        deserialize_u64 visit_u64 "that is an integer of 0 or more"
        deserialize_u128 visit_u128 "that is an integer of 0 or more"
        deserialize_f32 visit_f32 "that is a number"
        deserialize_f64 visit_f64 "that is a number"
        deserialize_char visit_char "of one character"
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, TypeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, TypeError> {
        visitor.visit_enum(StrDeserializer::new(self.key))
    }

    serde::forward_to_deserialize_any! {
        str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
