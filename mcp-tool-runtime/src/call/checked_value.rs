//! Reads a `Value` with any deserializer, and finds what a `Value` would hide: duplicate keys, and nesting that is too
//! deep.

use std::fmt;
use std::sync::LazyLock;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

use crate::json::path::{Path, Step};
use crate::json::reader::{MAX_DEPTH, too_deep};
use crate::json::violation::{Violation, quote_name};

/// A value, and the first violation in it.
#[derive(Debug)]
pub(crate) struct CheckedValue {
    pub(crate) value: Value,
    pub(crate) violation: Option<Violation>,
}

impl<'de> Deserialize<'de> for CheckedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut reading = Reading { violation: None, path: Path::default() };
        let value = ValueSeed(&mut reading).deserialize(deserializer)?;
        Ok(Self { value, violation: reading.violation })
    }
}

/// The position in the value, and the first violation.
struct Reading {
    violation: Option<Violation>,
    path: Path,
}

struct ValueSeed<'s>(&'s mut Reading);

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        if self.0.path.steps().len() > MAX_DEPTH {
            self.0.violation.get_or_insert_with(too_deep);
            // Unlike reading the value, skipping it needs no recursion.
            return IgnoredAny::deserialize(deserializer).map(|_| Value::Null);
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(flag.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            self.0.path.push(Step::Index(list.len()));
            let element = elements.next_element_seed(ValueSeed(self.0))?;
            self.0.path.pop();
            match element {
                Some(element) => list.push(element),
                None => return Ok(Value::Array(list)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut properties: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = properties.next_key::<String>()? {
            if key == NUMBER_KEY && *NUMBERS_ARE_MAPS {
                let number: Number = properties.next_value::<String>()?.parse().map_err(A::Error::custom)?;
                return Ok(Value::Number(number));
            }
            self.0.path.push(Step::Key(key.as_str().into()));
            let value = properties.next_value_seed(ValueSeed(self.0))?;
            self.0.path.pop();
            match object.entry(key) {
                Entry::Vacant(entry) => drop(entry.insert(value)),
                Entry::Occupied(entry) => {
                    let message = format!("the key {} appears twice", quote_name(entry.key()));
                    let path = &self.0.path;
                    self.0.violation.get_or_insert_with(|| Violation::new(path.clone(), message));
                }
            }
        }
        Ok(Value::Object(object))
    }
}

/// The key under which `serde_json` passes on a number if another crate enables its feature `arbitrary_precision`.
const NUMBER_KEY: &str = "$serde_json::private::Number";

/// Whether that feature is enabled. If so, no number is out of range.
static NUMBERS_ARE_MAPS: LazyLock<bool> = LazyLock::new(|| serde_json::from_str::<Number>("1e400").is_ok());

/// Removes the value from a message of serde: `invalid type: string "s3cr3t", expected …`. Returns `None` for a message of another form.
pub(crate) fn without_value(message: &str) -> Option<String> {
    let (kind, rest) =
        ["invalid type: ", "invalid value: "].into_iter().find_map(|kind| Some((kind, message.strip_prefix(kind)?)))?;
    // Search from the end, because the value may contain the same words.
    let expected = rest.rfind(", expected ")?;
    let value = &rest[..expected];
    let word = value.split([' ', '`', '"']).next().unwrap_or_default();
    Some(format!("{kind}{word}{}", &rest[expected..]))
}

#[cfg(test)]
mod tests {
    use serde::de::IntoDeserializer;
    use serde::de::value::{BytesDeserializer, Error as ValueError};
    use serde::forward_to_deserialize_any;
    use serde_json::json;

    use super::*;

    fn violation(json: &str) -> Option<String> {
        let read: CheckedValue = serde_json::from_str(json).expect("JSON");
        read.violation.map(|violation| format!("{}: {}", violation.path, violation.message))
    }

    #[test]
    fn a_value_is_read_as_serde_json_reads_it() {
        let json = r#"{"a":[1,-2,3.5,null,true,"x",{"b":{}}],"c":18446744073709551615}"#;
        let read: CheckedValue = serde_json::from_str(json).expect("JSON");
        assert_eq!(read.value, serde_json::from_str::<Value>(json).expect("JSON"));
        assert!(read.violation.is_none());
    }

    #[test]
    fn a_key_that_serde_json_uses_for_numbers_is_a_key_without_that_feature() {
        let read: CheckedValue = serde_json::from_str(&format!(r#"{{"{NUMBER_KEY}":"5"}}"#)).expect("JSON");
        assert_eq!(read.value.is_object(), !*NUMBERS_ARE_MAPS);
    }

    #[test]
    fn the_first_violation_is_found() {
        assert_eq!(
            violation(r#"{"a":[0,{"b":1,"b":2,"c":1,"c":2}]}"#).as_deref(),
            Some("a[1]: the key `b` appears twice")
        );
        let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert_eq!(violation(&deep(MAX_DEPTH + 1)), None);
        assert!(violation(&deep(100_000)).is_some_and(|text| text.contains("levels of nesting")));
    }

    #[test]
    fn a_quoted_value_is_hidden() {
        let hidden = |message: &str| without_value(message).unwrap_or_default();
        assert_eq!(
            hidden(r#"invalid type: string "a, expected b", expected an object at line 1 column 2"#),
            "invalid type: string, expected an object at line 1 column 2"
        );
        assert_eq!(hidden("invalid type: integer `5`, expected a string"), "invalid type: integer, expected a string");
        assert_eq!(without_value("missing field `name`"), None);
    }

    #[test]
    fn an_optional_value_of_another_format_is_read_as_the_value() {
        struct Optional(Option<u8>);

        impl<'de> Deserializer<'de> for Optional {
            type Error = ValueError;

            fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
                match self.0 {
                    Some(number) => visitor.visit_some(number.into_deserializer()),
                    None => visitor.visit_none(),
                }
            }

            forward_to_deserialize_any! {
                bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
                newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
            }
        }

        let value = |optional| CheckedValue::deserialize(Optional(optional)).expect("a value").value;
        assert_eq!((value(Some(7)), value(None)), (json!(7), Value::Null));
    }

    #[test]
    fn bytes_are_refused_because_json_has_none() {
        let error = CheckedValue::deserialize(BytesDeserializer::<ValueError>::new(b"bytes")).expect_err("no JSON");
        assert_eq!(error.to_string(), "invalid type: byte array, expected any JSON value");
    }
}
