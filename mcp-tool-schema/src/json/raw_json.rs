//! Text that this crate wrote, as a [`RawValue`].
//!
//! `serde_json` makes one only from text that it has parsed. For a result of the benchmark `value-order` that parsing took 5 % of the
//! call by value. But a `RawValue` deserializes from any deserializer that offers what `serde_json`'s own offers: a map of one
//! entry, whose key is the name of the type.

use serde::Deserialize;
use serde::de::value::{BorrowedStrDeserializer, MapDeserializer};
use serde::de::{Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Error;
use serde_json::value::RawValue;

/// Returns the text as a `RawValue`. The text must be JSON.
pub fn raw_json(json: &str) -> Option<&RawValue> {
    let raw = <&RawValue>::deserialize(WrittenJson(json)).ok();
    raw.or_else(|| serde_json::from_str(json).ok())
}

struct WrittenJson<'a>(&'a str);

impl<'de> Deserializer<'de> for WrittenJson<'de> {
    type Error = Error;

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(MapDeserializer::new(std::iter::once((name, BorrowedStrDeserializer::new(self.0)))))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("only for a `RawValue`"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raw_value_is_made_without_parsing() {
        let json = r#"{"a":[1,"x"]}"#;
        let raw = <&RawValue>::deserialize(WrittenJson(json)).expect("serde_json takes its own form");
        assert!(std::ptr::eq(raw.get(), json));
        assert_eq!(raw_json(json).map(RawValue::get), Some(json));
    }
}
