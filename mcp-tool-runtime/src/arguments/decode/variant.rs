//! Reads a variant of an enum: a string, or an object with one property.

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer as _, EnumAccess, IntoDeserializer, VariantAccess, Visitor};

use super::ValueDeserializer;
use crate::arguments::type_error::TypeError;
use crate::json::path::Step;
use crate::json::safe_text::quote_name;
use crate::json::tape::View;

pub(super) struct Variant<'t> {
    pub(super) name: &'t str,
    /// `None` for a string, which is the name alone.
    pub(super) content: Option<View<'t>>,
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = TypeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), TypeError> {
        let name: StrDeserializer<'_, TypeError> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl Variant<'_> {
    fn content<T>(&self, read: impl FnOnce(ValueDeserializer<'_>) -> Result<T, TypeError>) -> Result<T, TypeError> {
        match self.content {
            Some(view) => read(ValueDeserializer { view }).map_err(|error| self.inside(error)),
            None => Err(TypeError::new(format!("expected an object with the property {}", quote_name(self.name)))),
        }
    }

    fn inside(&self, error: TypeError) -> TypeError {
        error.inside(|| Step::Key(self.name.into()))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = TypeError;

    fn unit_variant(self) -> Result<(), TypeError> {
        match self.content {
            Some(content) if !content.is_null() => {
                let message = format!("expected null, got {}", content.describe_type());
                Err(self.inside(TypeError::new(message)))
            }
            _ => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, TypeError> {
        self.content(|content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, TypeError> {
        self.content(|content| content.deserialize_seq(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, TypeError> {
        self.content(|content| content.deserialize_map(visitor))
    }
}
