//! What is known about the values that several schemas accept together.

#![allow(missing_docs, clippy::must_use_candidate, clippy::return_self_not_must_use)]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Map, Number, Value, json};

use super::numbers::{at_least, is_multiple, may_equal};
use super::{Types, is_anything};
use crate::reference;

/// How deep the properties of two objects are compared to see that no value matches both.
const PROPERTY_DEPTH: usize = 4;

pub type Schema = Map<String, Value>;

/// Schemas that a value must all match. Each is an object. Targets of `$ref` and the schemas in `allOf` are added to the list.
///
/// The methods may know less than the schemas say, never more.
#[derive(Clone, Debug)]
pub struct Conjunction<'a> {
    pub schemas: Vec<&'a Schema>,
    /// No value is accepted.
    pub is_never: bool,
    root: &'a Value,
}

impl<'a> Conjunction<'a> {
    /// Returns a conjunction of no schemas, which accepts every value.
    pub fn anything(root: &'a Value) -> Self {
        Self { schemas: Vec::new(), is_never: false, root }
    }

    pub fn of(schema: &'a Value, root: &'a Value) -> Self {
        let mut this = Self::anything(root);
        this.add(schema);
        this
    }

    /// Adds a schema that the value must also match.
    pub fn add(&mut self, schema: &'a Value) {
        let mut pending = vec![schema];
        while let Some(schema) = pending.pop() {
            match schema {
                Value::Bool(accepts) => self.is_never |= !accepts,
                Value::Object(schema) if !self.has(schema) => {
                    self.schemas.push(schema);
                    self.is_never |= schema.get("not").is_some_and(is_anything);
                    pending.extend(schema.get("allOf").and_then(Value::as_array).into_iter().flatten());
                    let target = schema.get("$ref").and_then(Value::as_str);
                    pending.extend(target.and_then(|target| reference::resolve(self.root, target)));
                }
                _ => {}
            }
        }
        self.is_never |= self.types() == Types::NONE;
    }

    /// Returns `true` if the list contains this schema, compared by address.
    pub fn has(&self, schema: &Schema) -> bool {
        self.schemas.iter().any(|known| std::ptr::eq(*known, schema))
    }

    /// Returns the variants of the first `anyOf` or `oneOf` that adds something: no variant is in the list already.
    pub fn union(&self) -> Option<Vec<&'a Value>> {
        let keywords = self.schemas.iter().flat_map(|schema| [schema.get("anyOf"), schema.get("oneOf")]).flatten();
        keywords.filter(|variants| variants.is_array()).find_map(|variants| {
            let is_new =
                |variant: &Value| variant.as_object().is_some_and(|variant| !self.has(variant)) || variant == false;
            items(variants).all(is_new).then(|| items(variants).collect())
        })
    }

    /// Returns the types of values that are accepted.
    pub fn types(&self) -> Types {
        let types =
            self.schemas.iter().map(|schema| Types::of_keyword(schema.get("type"))).fold(Types::ALL, Types::and);
        match self.values() {
            Some(values) => types.and(values.into_iter().map(Types::of_value).fold(Types::NONE, Types::or)),
            None => types,
        }
    }

    /// Splits the values by their type. All numbers are one type.
    pub fn by_kind(&self) -> Vec<Self> {
        static KINDS: LazyLock<[Value; 6]> = LazyLock::new(|| {
            ["null", "boolean", "number", "string", "array", "object"].map(|name| json!({ "type": name }))
        });
        let own = self.types();
        let kinds = KINDS.iter().filter(|kind| Types::of_keyword(kind.get("type")).intersects(own));
        let limited = |kind| {
            let mut part = self.clone();
            part.add(kind);
            part
        };
        kinds.map(limited).collect()
    }

    /// Adds the variants of all unions and conditions. No value needs to match them all.
    pub fn with_variants(&self) -> Self {
        let (mut all, mut pending) = (self.clone(), self.schemas.clone());
        while let Some(schema) = pending.pop() {
            for inner in ["anyOf", "oneOf", "then", "else"].into_iter().filter_map(|keyword| schema.get(keyword)) {
                for variant in inner.as_array().map_or(std::slice::from_ref(inner), Vec::as_slice) {
                    let before = all.schemas.len();
                    all.add(variant);
                    pending.extend_from_slice(&all.schemas[before..]);
                }
            }
        }
        all
    }

    /// Returns `true` if every schema accepts properties that it does not describe, and says nothing about them.
    pub fn is_open(&self) -> bool {
        const OTHERS: [&str; 3] = ["patternProperties", "unevaluatedProperties", "propertyNames"];
        self.schemas.iter().all(|schema| {
            schema.get("additionalProperties").is_none_or(is_anything)
                && !OTHERS.iter().any(|keyword| schema.contains_key(*keyword))
        })
    }

    /// Returns the accepted values if `const`, `enum` or the type `null` limits them.
    pub fn values(&self) -> Option<Vec<&'a Value>> {
        let mut all: Option<Vec<&'a Value>> = None;
        for schema in &self.schemas {
            let listed: Vec<_> = match (schema.get("const"), schema.get("enum").and_then(Value::as_array)) {
                (Some(only), _) => vec![only],
                (None, Some(values)) => values.iter().collect(),
                (None, None) => continue,
            };
            all = Some(match all {
                Some(known) => {
                    known.into_iter().filter(|value| listed.iter().any(|other| may_equal(value, other))).collect()
                }
                None => listed,
            });
        }
        if all.is_none() && self.schemas.iter().any(|schema| schema.get("type").is_some_and(|name| name == "null")) {
            return Some(vec![&Value::Null]);
        }
        all
    }

    /// Returns the value of a keyword in each schema that has it.
    pub fn keyword(&self, keyword: &str) -> impl Iterator<Item = &'a Value> {
        self.schemas.iter().filter_map(move |schema| schema.get(keyword))
    }

    /// Returns the strictest bound of a keyword and its exclusive form, and whether the bound is exclusive.
    pub fn bound(&self, keyword: &str, exclusive: &str, is_lower: bool) -> Option<(&'a Number, bool)> {
        let bounds = [(keyword, false), (exclusive, true)].into_iter().flat_map(|(keyword, is_exclusive)| {
            self.keyword(keyword).filter_map(Value::as_number).map(move |number| (number, is_exclusive))
        });
        bounds.reduce(|strictest, next| {
            let is_stricter = if is_lower { at_least(next.0, strictest.0) } else { at_least(strictest.0, next.0) };
            // Of two equal bounds the exclusive one is stricter.
            if is_stricter && (next.0 != strictest.0 || next.1) { next } else { strictest }
        })
    }

    pub fn is_multiple_of(&self, base: &Value) -> bool {
        self.keyword("multipleOf").any(|divisor| is_multiple(divisor, base))
    }

    pub fn required(&self) -> BTreeSet<&'a str> {
        self.keyword("required").filter_map(Value::as_array).flatten().filter_map(Value::as_str).collect()
    }

    /// Returns the names of the properties that a schema describes.
    pub fn properties(&self) -> BTreeSet<&'a str> {
        self.keyword("properties").filter_map(Value::as_object).flatten().map(|(name, _)| name.as_str()).collect()
    }

    /// Returns what is known about a property.
    pub fn property(&self, name: &str) -> Self {
        self.part(|schema| {
            schema.get("properties").and_then(|properties| properties.get(name)).or_else(|| rest(schema, None))
        })
    }

    /// Returns what is known about properties that no schema describes and that match none of the given patterns.
    pub fn other_properties(&self, patterns: Option<&Value>) -> Self {
        self.part(|schema| rest(schema, patterns))
    }

    /// Returns what is known about the element at an index or, without an index, about the elements after `prefixItems`.
    pub fn element(&self, index: Option<usize>) -> Self {
        self.part(|schema| {
            let prefix = schema.get("prefixItems").and_then(Value::as_array);
            index.and_then(|index| prefix?.get(index)).or_else(|| schema.get("items"))
        })
    }

    /// Returns what is known about a part of the value, from the schema that each schema has for it.
    fn part(&self, schema_of: impl Fn(&'a Schema) -> Option<&'a Value>) -> Self {
        let mut part = Self::anything(self.root);
        self.schemas.iter().filter_map(|schema| schema_of(schema)).for_each(|schema| part.add(schema));
        part
    }

    /// Returns how many elements `prefixItems` describes.
    pub fn prefix_length(&self) -> usize {
        self.keyword("prefixItems").filter_map(Value::as_array).map(Vec::len).max().unwrap_or_default()
    }

    /// Returns `true` if an array never has an element at this index.
    pub fn ends_before(&self, index: usize) -> bool {
        let most = self.keyword("maxItems").filter_map(Value::as_u64).min();
        most.is_some_and(|most| most <= index as u64)
    }

    /// Returns `true` if no value matches both. `false` means that there is no simple proof.
    pub fn is_disjoint_from(&self, other: &Conjunction<'_>) -> bool {
        self.is_disjoint_within(other, PROPERTY_DEPTH)
    }

    fn is_disjoint_within(&self, other: &Conjunction<'_>, depth: usize) -> bool {
        if self.is_never || other.is_never {
            return true;
        }
        let both = self.types().and(other.types());
        if both == Types::NONE {
            return true;
        }
        if let (Some(values), Some(others)) = (self.values(), other.values())
            && !values.iter().any(|value| others.iter().any(|other| may_equal(value, other)))
        {
            return true;
        }
        if both != Types::OBJECT || depth == 0 {
            return false;
        }
        // A property that one of them requires is in every value that matches both.
        let (mine, theirs) = (self.required(), other.required());
        mine.union(&theirs).any(|name| self.property(name).is_disjoint_within(&other.property(name), depth - 1))
    }
}

/// Returns `true` if no two of the schemas accept the same value. `false` means that there is no simple proof.
pub fn all_disjoint(schemas: &[Value], root: &Value) -> bool {
    let all: Vec<_> = schemas.iter().map(|schema| Conjunction::of(schema, root)).collect();
    all.iter().enumerate().all(|(at, one)| all[..at].iter().all(|other| one.is_disjoint_from(other)))
}

/// Returns the schema of the properties that a schema does not describe. It is unknown if the schema has other patterns than
/// the given ones, because a pattern may match such a property.
fn rest<'a>(schema: &'a Schema, patterns: Option<&Value>) -> Option<&'a Value> {
    match schema.get("patternProperties") {
        Some(own) if patterns != Some(own) => None,
        _ => schema.get("additionalProperties"),
    }
}

/// Returns the elements of an array, for example the variants of `anyOf`. Any other value has none.
pub fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_branches_of_enums_are_disjoint() {
        let tagged =
            |tag: &str| json!({ "type": "object", "properties": { "kind": { "const": tag } }, "required": ["kind"] });
        let external = |name: &str| json!({ "type": "object", "properties": { name: {} }, "required": [name], "additionalProperties": false });
        let root = json!({ "$defs": { "A": tagged("a") } });
        assert!(all_disjoint(&[json!({ "$ref": "#/$defs/A" }), tagged("b"), json!({ "type": "string" })], &root));
        assert!(all_disjoint(&[external("a"), external("b"), json!({ "enum": ["c"] , "type": "string" })], &root));
        assert!(all_disjoint(&[json!({ "const": 1 }), json!({ "const": "1" })], &root));
    }

    #[test]
    fn what_may_overlap_is_not_disjoint() {
        for (one, other) in [
            (json!({ "type": "integer" }), json!({ "type": "number" })),
            (json!({ "const": 1 }), json!({ "const": 1.0 })),
            (json!({ "type": "string" }), json!({ "type": "string", "minLength": 3 })),
            (json!({}), json!({ "type": "string" })),
            (
                json!({ "type": "object", "properties": { "a": {} }, "required": ["a"] }),
                json!({ "type": "object", "properties": { "b": {} }, "required": ["b"] }),
            ),
        ] {
            assert!(!all_disjoint(&[one.clone(), other.clone()], &json!({})), "{one} {other}");
        }
    }
}
