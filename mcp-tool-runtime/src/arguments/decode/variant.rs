//! Reads a variant of an enum from a string, which is its name alone.

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};

use crate::arguments::type_error::TypeError;
use crate::json::violation::quote_name;

pub(super) struct VariantName<'t>(pub(super) &'t str);

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
