//! From a document to the types of a tool.

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::problem::Problem;
use crate::document::name::quote_name;
use crate::document::number::Numeral;
use crate::document::path::Step;
use crate::document::tape::{Elements, Item, Properties, View};

/// Reads a type from a document.
pub(super) fn typed<T: DeserializeOwned>(root: View<'_>) -> Result<T, Problem> {
    T::deserialize(Reader { view: root })
}

/// Reads one value.
#[derive(Clone, Copy)]
struct Reader<'t> {
    view: View<'t>,
}

impl<'t> Reader<'t> {
    fn number<'de, V: Visitor<'de>>(number: Numeral, visitor: V) -> Result<V::Value, Problem> {
        match number {
            Numeral::Unsigned(number) => visitor.visit_u64(number),
            Numeral::Signed(number) => visitor.visit_i64(number),
            Numeral::Float(number) => visitor.visit_f64(number),
        }
    }

    fn integer<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.view.item() {
            Item::Number(number) => {
                Self::number(number.integer().and_then(Numeral::from_integer).unwrap_or(number), visitor)
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn sequence<'de, V: Visitor<'de>>(elements: Elements<'t>, visitor: V) -> Result<V::Value, Problem> {
        let length = elements.len();
        let mut access = Sequence { elements, next: 0 };
        let value = visitor.visit_seq(&mut access)?;
        if access.elements.len() > 0 {
            return Err(de::Error::invalid_length(length, &"fewer elements"));
        }
        Ok(value)
    }
}

macro_rules! integers {
    ($($method:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            self.integer(visitor)
        }
    )+};
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.view.item() {
            Item::Null => visitor.visit_unit(),
            Item::Bool(flag) => visitor.visit_bool(flag),
            Item::Number(number) => Self::number(number, visitor),
            Item::String(text) => visitor.visit_str(&text),
            Item::Array(elements) => Self::sequence(elements, visitor),
            Item::Object(members) => visitor.visit_map(Entries { members, current: None }),
        }
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    /// A number beyond what 32 bits hold would become infinite.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.view.item() {
            #[expect(clippy::cast_possible_truncation, reason = "what it is cut off to is asked for")]
            Item::Number(Numeral::Float(number)) if (number as f32).is_infinite() => {
                Err(Problem::new("expected a number that 32 bits can hold".to_owned()))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.view.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        match self.view.item() {
            Item::String(text) => visitor.visit_enum(Variant { name: &text, content: None }),
            Item::Object(mut members) => match (members.len(), members.next()) {
                (1, Some((name, content))) => visitor.visit_enum(Variant { name, content: Some(content) }),
                (length, _) => Err(de::Error::invalid_length(length, &"an object with one member")),
            },
            _ => {
                Err(Problem::new(format!("expected one of the published variants, got {}", self.view.describe_type())))
            }
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

struct Sequence<'t> {
    elements: Elements<'t>,
    next: usize,
}

impl<'de> SeqAccess<'de> for &mut Sequence<'_> {
    type Error = Problem;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Problem> {
        let Some(view) = self.elements.next() else { return Ok(None) };
        let index = self.next;
        self.next += 1;
        seed.deserialize(Reader { view }).map(Some).map_err(|problem| problem.under(|| Step::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.len())
    }
}

struct Entries<'t> {
    members: Properties<'t>,
    current: Option<(&'t str, View<'t>)>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Problem;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Problem> {
        self.current = self.members.next();
        match self.current {
            Some((key, _)) => {
                let under = |problem: Problem| problem.under(|| Step::Key(key.to_owned())).of_a_name();
                seed.deserialize(KeyReader { key }).map(Some).map_err(under)
            }
            None => Ok(None),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Problem> {
        let Some((key, view)) = self.current else { return Err(de::Error::custom("a value without a key")) };
        seed.deserialize(Reader { view }).map_err(|problem| problem.under(|| Step::Key(key.to_owned())))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// Reads a key, which is a string in JSON and may be a number or a boolean in Rust.
struct KeyReader<'n> {
    key: &'n str,
}

macro_rules! parsed_keys {
    ($($method:ident $visit:ident $kind:literal)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            match self.key.parse() {
                Ok(key) => visitor.$visit(key),
                Err(_) => Err(Problem::new(format!("expected a name that reads as {}", $kind))),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for KeyReader<'_> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_str(self.key)
    }

    parsed_keys! {
        deserialize_bool visit_bool "`true` or `false`"
        deserialize_i8 visit_i8 "an integer from -128 to 127"
        deserialize_i16 visit_i16 "an integer from -32768 to 32767"
        deserialize_i32 visit_i32 "an integer from -2147483648 to 2147483647"
        deserialize_i64 visit_i64 "an integer"
        deserialize_i128 visit_i128 "an integer"
        deserialize_u8 visit_u8 "an integer from 0 to 255"
        deserialize_u16 visit_u16 "an integer from 0 to 65535"
        deserialize_u32 visit_u32 "an integer from 0 to 4294967295"
        deserialize_u64 visit_u64 "an integer of 0 or more"
        deserialize_u128 visit_u128 "an integer of 0 or more"
        deserialize_f32 visit_f32 "a number"
        deserialize_f64 visit_f64 "a number"
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let mut characters = self.key.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => visitor.visit_char(character),
            _ => Err(Problem::new("expected a name of one character".to_owned())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        let key: StrDeserializer<'_, Problem> = self.key.into_deserializer();
        key.deserialize_enum(name, variants, visitor)
    }

    serde::forward_to_deserialize_any! {
        str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// A variant of an enum: its name, and its content unless it stands alone.
struct Variant<'t> {
    name: &'t str,
    content: Option<View<'t>>,
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = Problem;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Problem> {
        let name: StrDeserializer<'_, Problem> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl Variant<'_> {
    fn content<T>(&self, read: impl FnOnce(Reader<'_>) -> Result<T, Problem>) -> Result<T, Problem> {
        match self.content {
            Some(view) => read(Reader { view }).map_err(|problem| problem.under(|| Step::Key(self.name.to_owned()))),
            None => Err(Problem::new(format!("expected an object with the member {}", quote_name(self.name)))),
        }
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Problem;

    fn unit_variant(self) -> Result<(), Problem> {
        match self.content {
            None => Ok(()),
            Some(content) if content.is_null() => Ok(()),
            Some(other) => Err(Problem::new(format!("expected null, got {}", other.describe_type()))
                .under(|| Step::Key(self.name.to_owned()))),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Problem> {
        self.content(|reader| seed.deserialize(reader))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Problem> {
        self.content(|reader| reader.deserialize_seq(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Problem> {
        self.content(|reader| reader.deserialize_map(visitor))
    }
}
