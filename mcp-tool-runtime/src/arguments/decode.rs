//! A serde deserializer that reads values of the author's types from a parsed JSON document.
//!
//! The alternative is `serde_json::from_value` with a `Value` made from the tape. But then errors would have no path,
//! the benchmark `add` would take 24% more instructions, and `order` 35% more, with 364 allocations instead of 142. To
//! measure it again, let [`decode`] deserialize from `root.to_value()`, and run `python3 tests/bench/bench.py budget`.

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::type_error::TypeError;
use crate::json::number::Numeral;
use crate::json::path::Step;
use crate::json::tape::{Elements, Item, Properties, View};
use crate::json::violation::quote_name;

/// Reads a `T` from a document.
pub(super) fn decode<T: DeserializeOwned>(root: View<'_>) -> Result<T, TypeError> {
    T::deserialize(ValueDeserializer { view: root })
}

#[derive(Clone, Copy)]
pub(super) struct ValueDeserializer<'t> {
    pub(super) view: View<'t>,
}

fn visit_number<'de, V: Visitor<'de>>(number: Numeral, visitor: V) -> Result<V::Value, TypeError> {
    match number {
        Numeral::Unsigned(number) => visitor.visit_u64(number),
        Numeral::Signed(number) => visitor.visit_i64(number),
        Numeral::Float(number) => visitor.visit_f64(number),
    }
}

fn visit_elements<'de, V: Visitor<'de>>(elements: Elements<'_>, visitor: V) -> Result<V::Value, TypeError> {
    let length = elements.len();
    let mut access = ElementAccess { elements, next: 0 };
    let value = visitor.visit_seq(&mut access)?;
    if access.elements.len() > 0 {
        return Err(de::Error::invalid_length(length, &"fewer elements"));
    }
    Ok(value)
}

/// Defines the methods for integer types, which read `3.0` as `3`.
macro_rules! integers {
    ($($method:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
            match self.view.item() {
                Item::Number(number) => visit_number(number.to_integer().unwrap_or(number), visitor),
                _ => self.deserialize_any(visitor),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for ValueDeserializer<'_> {
    type Error = TypeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        match self.view.item() {
            Item::Null => visitor.visit_unit(),
            Item::Bool(flag) => visitor.visit_bool(flag),
            Item::Number(number) => visit_number(number, visitor),
            Item::String(text) => visitor.visit_str(&text),
            Item::Array(elements) => visit_elements(elements, visitor),
            Item::Object(properties) => visitor.visit_map(PropertyAccess { properties, current: None }),
        }
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    /// Refuses a number that would become infinite as an `f32`.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        match self.view.item() {
            #[expect(clippy::cast_possible_truncation, reason = "the check is about this conversion")]
            Item::Number(Numeral::Float(number)) if (number as f32).is_infinite() => {
                Err(TypeError::new("expected a number that fits in 32 bits"))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        if self.view.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
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
        match self.view.item() {
            Item::String(name) => visitor.visit_enum(VariantName(&name)),
            Item::Object(properties) if properties.len() == 1 => {
                visitor.visit_enum(MapAccessDeserializer::new(PropertyAccess { properties, current: None }))
            }
            Item::Object(properties) => {
                let count = properties.len();
                Err(TypeError::new(format!("expected an object with 1 property, got {count} properties")))
            }
            _ => {
                let got = self.view.describe_type();
                Err(TypeError::new(format!("expected one of the published variants, got {got}")))
            }
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, TypeError> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

struct ElementAccess<'t> {
    elements: Elements<'t>,
    next: usize,
}

impl<'de> SeqAccess<'de> for &mut ElementAccess<'_> {
    type Error = TypeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, TypeError> {
        let Some(view) = self.elements.next() else { return Ok(None) };
        let index = self.next;
        self.next += 1;
        seed.deserialize(ValueDeserializer { view }).map(Some).map_err(|error| error.inside(|| Step::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.len())
    }
}

struct PropertyAccess<'t> {
    properties: Properties<'t>,
    current: Option<(&'t str, View<'t>)>,
}

impl<'de> MapAccess<'de> for PropertyAccess<'_> {
    type Error = TypeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, TypeError> {
        self.current = self.properties.next();
        let Some((key, _)) = self.current else { return Ok(None) };
        seed.deserialize(KeyDeserializer { key }).map(Some).map_err(|error| error.of_key(key))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, TypeError> {
        let Some((key, view)) = self.current else { return Err(de::Error::custom("a value without a key")) };
        seed.deserialize(ValueDeserializer { view }).map_err(|error| error.inside(|| Step::Key(key.into())))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.properties.len())
    }
}

/// The name of an enum variant that was written as a string, and so has no content.
struct VariantName<'t>(&'t str);

impl VariantName<'_> {
    fn without_content(&self) -> TypeError {
        TypeError::new(format!("expected an object with the property {}", quote_name(self.0)))
    }
}

impl<'de> EnumAccess<'de> for VariantName<'_> {
    type Error = TypeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), TypeError> {
        Ok((seed.deserialize(StrDeserializer::<TypeError>::new(self.0))?, self))
    }
}

impl<'de> VariantAccess<'de> for VariantName<'_> {
    type Error = TypeError;

    fn unit_variant(self) -> Result<(), TypeError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, TypeError> {
        Err(self.without_content())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, TypeError> {
        Err(self.without_content())
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, TypeError> {
        Err(self.without_content())
    }
}

/// The key of a map. JSON keys are strings, but the Rust type may want a number, a boolean or a character.
struct KeyDeserializer<'n> {
    key: &'n str,
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::*;
    use crate::json::reader::read_value;
    use crate::json::violation::Violation;

    fn decoded<T: DeserializeOwned>(value: &Value) -> Result<T, Violation> {
        let tape = read_value(value).expect("a document");
        decode(tape.root()).map_err(|error| error.into_violation(&tape))
    }

    fn text<T: DeserializeOwned>(value: &Value) -> String {
        let Err(violation) = decoded::<T>(value) else { return "accepted".to_owned() };
        format!("{}: {}", violation.path, violation.message)
    }

    #[test]
    fn a_key_that_is_a_character_has_one() {
        let read = decoded::<BTreeMap<char, u8>>(&json!({ "a": 1, "é": 2 }));
        assert_eq!(read.expect("a map"), BTreeMap::from([('a', 1), ('é', 2)]));
        for key in ["", "ab"] {
            let text = text::<BTreeMap<char, u8>>(&json!({ key: 1 }));
            assert!(text.ends_with("expected a property name of one character"), "{text}");
        }
    }

    #[test]
    fn a_number_must_fit_in_32_bits_if_its_type_has_them() {
        assert_eq!(decoded::<Vec<f32>>(&json!([1.5, -3e38, 1e-50])).expect("numbers"), [1.5, -3e38, 0.0]);
        for number in [1e39, -1e39] {
            assert_eq!(text::<Vec<f32>>(&json!([number])), "[0]: expected a number that fits in 32 bits");
        }
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Closed {
        #[serde(rename = "known")]
        _known: Option<u8>,
    }

    #[test]
    fn an_unknown_field_is_named_once() {
        let violation = decoded::<Vec<Closed>>(&json!([{ "known": 1, "other": null }])).expect_err("a violation");
        assert_eq!(violation.path.to_string(), "[0].other");
        let violation = decoded::<Vec<Closed>>(&json!([{ "known": "1" }])).expect_err("a violation");
        assert_eq!(violation.path.to_string(), "[0].known");
    }

    fn read_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
        u8::deserialize(deserializer).map_err(|error| de::Error::custom(format!("an id: {error}")))
    }

    fn read_even<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
        let number = i64::deserialize(deserializer)?;
        let is_even = number % 2 == 0;
        if is_even { Ok(number) } else { Err(de::Error::custom(format!("{number} is odd"))) }
    }

    #[derive(Debug, Deserialize)]
    struct Even(#[serde(deserialize_with = "read_even")] i64);

    fn read_even_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
        let even = Even::deserialize(deserializer).map_err(|error| de::Error::custom(format!("an id: {error}")))?;
        Ok(even.0)
    }

    #[derive(Debug, Deserialize)]
    struct Ids {
        #[serde(default, rename = "any", deserialize_with = "read_id")]
        _any: u8,
        #[serde(default, rename = "even", deserialize_with = "read_even_id")]
        _even: i64,
    }

    #[test]
    fn a_type_may_put_the_error_of_another_type_in_its_own() {
        assert_eq!(
            text::<Ids>(&json!({ "any": "secret" })),
            "any: an id: expected an integer from 0 to 255, got a string"
        );
        assert_eq!(text::<Ids>(&json!({ "even": 123_457 })), "even: an id: … is odd");
        assert_eq!(text::<Ids>(&json!({ "any": 1, "even": 2 })), "accepted");
    }
}
