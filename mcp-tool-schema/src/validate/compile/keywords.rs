//! Compiles the keywords of one subschema.

use serde_json::{Map, Value};

use super::Compiler;
use super::place::{self, Place};
use crate::accepted::Types;
use crate::json::number::Numeral;
use crate::validate::equality::ValueSet;
use crate::validate::formats::Format;
use crate::validate::node::{ArrayShape, Keyword, NodeId, Side, Size, Unevaluated};
use crate::validate::object::{Additional, ObjectShape, Property};
use crate::validate::pattern::Pattern;

impl<'s> Compiler<'s> {
    pub(super) fn keyword(
        &mut self,
        own: NodeId,
        name: &str,
        value: &'s Value,
        map: &'s Map<String, Value>,
        place: &Place<'s>,
    ) -> Result<Option<Keyword>, String> {
        let number = || {
            let number = value.as_number().and_then(Numeral::read);
            number.ok_or_else(|| place.error(name, "expected a number that fits in 64 bits"))
        };
        let bound = |side| Ok::<_, String>(Keyword::Bound { side, limit: number()?, written: value.clone() });
        let unevaluated = |of, node| Keyword::Unevaluated(Unevaluated { of, own, node });
        let single = |compiler: &mut Self| compiler.id(place.below(value, name, None));
        Ok(Some(match name {
            "const" => Keyword::Const(value.clone()),
            "enum" => Keyword::Enum(ValueSet::new(value.as_array().into_iter().flatten().cloned().collect())),
            "minimum" => bound(Side::Minimum)?,
            "maximum" => bound(Side::Maximum)?,
            "exclusiveMinimum" => bound(Side::ExclusiveMinimum)?,
            "exclusiveMaximum" => bound(Side::ExclusiveMaximum)?,
            "multipleOf" => Keyword::MultipleOf(number()?),
            "minLength" => Keyword::AtLeast(Size::Characters, count(value)),
            "maxLength" => Keyword::AtMost(Size::Characters, count(value)),
            "minItems" => Keyword::AtLeast(Size::Elements, count(value)),
            "maxItems" => Keyword::AtMost(Size::Elements, count(value)),
            "minProperties" => Keyword::AtLeast(Size::Properties, count(value)),
            "maxProperties" => Keyword::AtMost(Size::Properties, count(value)),
            "dependentRequired" if self.is_2020() => {
                let all = value.as_object().into_iter().flatten();
                Keyword::DependentRequired(all.map(|(name, list)| (name.as_str().into(), names(list))).collect())
            }
            "pattern" => {
                let text = value.as_str().unwrap_or_default();
                Keyword::Pattern(Pattern::new(text).map_err(|error| place.error(name, error))?)
            }
            "format" => match value.as_str().and_then(|name| Format::named(name, self.dialect)) {
                Some(format) => Keyword::Format(format),
                None => return Ok(None),
            },
            "uniqueItems" if *value == true => Keyword::UniqueItems,
            "propertyNames" => Keyword::PropertyNames(single(self)),
            "contains" => {
                let bound = |keyword| map.get(keyword).filter(|_| self.is_2020()).map(count);
                let (minimum, maximum) = (bound("minContains").unwrap_or(1), bound("maxContains").unwrap_or(u64::MAX));
                Keyword::Contains { node: single(self), minimum, maximum }
            }
            "dependentSchemas" if self.is_2020() => {
                let all = value.as_object().into_iter().flatten();
                let node = |(property, schema): (&'s String, &'s Value)| {
                    (property.as_str().into(), self.id(place.below(schema, name, Some(property))))
                };
                Keyword::DependentSchemas(all.map(node).collect())
            }
            "allOf" => Keyword::AllOf(self.list(name, value, place)),
            "anyOf" => Keyword::AnyOf(self.list(name, value, place)),
            "oneOf" => Keyword::OneOf(self.list(name, value, place)),
            "not" => Keyword::Not(single(self)),
            "if" => {
                let condition = single(self);
                let mut branch = |keyword: &str| {
                    let schema = map.get(keyword)?;
                    Some(self.id(place.below(schema, keyword, None)))
                };
                let (then, otherwise) = (branch("then"), branch("else"));
                Keyword::If { condition, then, otherwise }
            }
            "unevaluatedProperties" if self.is_2020() => unevaluated(Types::OBJECT, single(self)),
            "unevaluatedItems" if self.is_2020() => unevaluated(Types::ARRAY, single(self)),
            "$ref" => self.reference(name, value, place)?,
            "$dynamicRef" if self.is_2020() => self.reference(name, value, place)?,
            _ => return Ok(None),
        }))
    }

    fn list(&mut self, name: &str, value: &'s Value, place: &Place<'s>) -> Box<[NodeId]> {
        let schemas = value.as_array().into_iter().flatten().enumerate();
        schemas.map(|(at, schema)| self.id(place.below(schema, name, Some(&at.to_string())))).collect()
    }

    pub(super) fn object(&mut self, map: &'s Map<String, Value>, place: &Place<'s>) -> Result<Keyword, String> {
        let named = |keyword: &str| map.get(keyword).and_then(Value::as_object).into_iter().flatten();
        let properties = named("properties").map(|(name, schema)| Property {
            name: name.as_str().into(),
            node: self.id(place.below(schema, "properties", Some(name))),
            is_required: false,
        });
        let properties = properties.collect();
        let patterns = named("patternProperties").map(|(text, schema)| {
            let pattern = Pattern::new(text).map_err(|error| place.error("patternProperties", error))?;
            Ok((pattern, self.id(place.below(schema, "patternProperties", Some(text)))))
        });
        let patterns = patterns.collect::<Result<_, String>>()?;
        let additional = match map.get("additionalProperties") {
            None => Additional::Any,
            Some(Value::Bool(true)) => Additional::Open,
            Some(Value::Bool(false)) => Additional::Closed,
            Some(Value::Object(schema)) if is_nothing(schema) => Additional::Closed,
            Some(schema) => Additional::Schema(self.id(place.below(schema, "additionalProperties", None))),
        };
        let required = map.get("required").map(names).unwrap_or_default();
        Ok(Keyword::Object(Box::new(ObjectShape::new(properties, patterns, additional, required))))
    }

    pub(super) fn array(&mut self, map: &'s Map<String, Value>, place: &Place<'s>) -> Option<Keyword> {
        let rest = |compiler: &mut Self, keyword: &str| {
            let schema = map.get(keyword)?;
            Some(compiler.id(place.below(schema, keyword, None)))
        };
        let (prefix, rest) = if self.is_2020() {
            let prefix = map.get("prefixItems").map(|list| self.list("prefixItems", list, place));
            (prefix.unwrap_or_default(), rest(self, "items"))
        } else {
            match map.get("items") {
                Some(list @ Value::Array(_)) => {
                    let prefix = self.list("items", list, place);
                    (prefix, rest(self, "additionalItems"))
                }
                _ => (Box::default(), rest(self, "items")),
            }
        };
        (!prefix.is_empty() || rest.is_some()).then_some(Keyword::Array(ArrayShape { prefix, rest }))
    }

    /// Compiles the older form of `dependentRequired` and `dependentSchemas`.
    pub(super) fn dependencies(&mut self, value: &'s Value, place: &Place<'s>) -> [Keyword; 2] {
        let all = value.as_object().into_iter().flatten();
        let (lists, schemas): (Vec<_>, Vec<_>) = all.partition(|(_, value)| value.is_array());
        let required = lists.into_iter().map(|(name, list)| (name.as_str().into(), names(list)));
        let nodes = schemas.into_iter().map(|(property, schema)| {
            (property.as_str().into(), self.id(place.below(schema, "dependencies", Some(property))))
        });
        [Keyword::DependentRequired(required.collect()), Keyword::DependentSchemas(nodes.collect())]
    }

    pub(super) fn reference(&mut self, keyword: &str, value: &Value, place: &Place<'s>) -> Result<Keyword, String> {
        Ok(Keyword::Reference(self.id(place::follow(keyword, value, place)?)))
    }
}

/// Returns `true` for `{"not": {}}`, perhaps with a description.
fn is_nothing(schema: &Map<String, Value>) -> bool {
    schema.get("not").and_then(Value::as_object).is_some_and(Map::is_empty)
        && schema.keys().all(|keyword| matches!(keyword.as_str(), "not" | "title" | "description" | "$comment"))
}

/// Reads a number of characters, elements or properties. `2.0` is also one.
fn count(value: &Value) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be a count; a larger one saturates"
    )]
    value.as_u64().unwrap_or_else(|| value.as_f64().unwrap_or_default() as u64)
}

fn names(value: &Value) -> Box<[Box<str>]> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(Into::into).collect()
}
