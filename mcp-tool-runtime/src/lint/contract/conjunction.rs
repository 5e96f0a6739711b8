//! What is known about the values that several schemas accept together.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Map, Number, Value, json};

use super::json_types;
use super::numbers::{at_least, is_multiple, may_equal};
use crate::schema::reference;

pub(super) type Schema = Map<String, Value>;

/// Schemas that a value must all match. Each is an object. Targets of `$ref` and the schemas in `allOf` are added to the list.
///
/// The methods may know less than the schemas say, never more.
#[derive(Clone, Debug)]
pub(super) struct Conjunction<'a> {
    pub(super) schemas: Vec<&'a Schema>,
    /// No value is accepted.
    pub(super) is_never: bool,
    root: &'a Value,
}

impl<'a> Conjunction<'a> {
    /// Returns a conjunction of no schemas, which accepts every value.
    pub(super) fn anything(root: &'a Value) -> Self {
        Self { schemas: Vec::new(), is_never: false, root }
    }

    pub(super) fn of(schema: &'a Value, root: &'a Value) -> Self {
        let mut this = Self::anything(root);
        this.add(schema);
        this
    }

    /// Adds a schema that the value must match, too.
    pub(super) fn add(&mut self, schema: &'a Value) {
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
        self.is_never |= self.types() == 0;
    }

    /// Returns `true` if the list contains this schema, compared by address.
    pub(super) fn has(&self, schema: &Schema) -> bool {
        self.schemas.iter().any(|known| std::ptr::eq(*known, schema))
    }

    /// Returns the variants of the first `anyOf` or `oneOf` that adds something: no variant is in the list already.
    pub(super) fn union(&self) -> Option<Vec<&'a Value>> {
        let keywords = self.schemas.iter().flat_map(|schema| [schema.get("anyOf"), schema.get("oneOf")]).flatten();
        keywords.filter(|variants| variants.is_array()).find_map(|variants| {
            let is_new =
                |variant: &Value| variant.as_object().is_some_and(|variant| !self.has(variant)) || variant == false;
            items(variants).all(is_new).then(|| items(variants).collect())
        })
    }

    /// Returns the types of values that are accepted.
    pub(super) fn types(&self) -> u8 {
        let mut types = self.schemas.iter().fold(json_types::ALL, |types, schema| types & json_types::of_type(schema));
        if let Some(values) = self.values() {
            types &= values.iter().fold(0, |types, value| types | json_types::of_value(value));
        }
        types
    }

    /// Splits the values by their type. All numbers are one type.
    pub(super) fn by_kind(&self) -> Vec<Self> {
        static NAMES: LazyLock<Vec<(u8, Value)>> = LazyLock::new(|| {
            let names = ["null", "boolean", "number", "string", "array", "object"];
            let bits = [
                json_types::NULL,
                json_types::BOOLEAN,
                json_types::NUMBER,
                json_types::STRING,
                json_types::ARRAY,
                json_types::OBJECT,
            ];
            bits.into_iter().zip(names.map(|name| json!({ "type": name }))).collect()
        });
        let own = self.types();
        let types = NAMES.iter().filter(|(bits, _)| own & bits != 0);
        types
            .map(|(_, schema)| {
                let mut part = self.clone();
                part.add(schema);
                part
            })
            .collect()
    }

    /// Adds the variants of all unions and conditions. No value needs to match them all.
    pub(super) fn with_variants(&self) -> Self {
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
    pub(super) fn is_open(&self) -> bool {
        const OTHERS: [&str; 3] = ["patternProperties", "unevaluatedProperties", "propertyNames"];
        self.schemas.iter().all(|schema| {
            schema.get("additionalProperties").is_none_or(is_anything)
                && !OTHERS.iter().any(|keyword| schema.contains_key(*keyword))
        })
    }

    /// Returns the accepted values if `const`, `enum` or the type `null` limits them.
    pub(super) fn values(&self) -> Option<Vec<&'a Value>> {
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
    pub(super) fn keyword(&self, keyword: &str) -> impl Iterator<Item = &'a Value> {
        self.schemas.iter().filter_map(move |schema| schema.get(keyword))
    }

    /// Returns the strictest bound of a keyword and its exclusive form, and whether the bound is exclusive.
    pub(super) fn bound(&self, keyword: &str, exclusive: &str, is_lower: bool) -> Option<(&'a Number, bool)> {
        let bounds = [(keyword, false), (exclusive, true)].into_iter().flat_map(|(keyword, is_exclusive)| {
            self.keyword(keyword).filter_map(Value::as_number).map(move |number| (number, is_exclusive))
        });
        bounds.reduce(|strictest, next| {
            let is_stricter = if is_lower { at_least(next.0, strictest.0) } else { at_least(strictest.0, next.0) };
            // Of two equal bounds the exclusive one is stricter.
            if is_stricter && (next.0 != strictest.0 || next.1) { next } else { strictest }
        })
    }

    pub(super) fn is_multiple_of(&self, base: &Value) -> bool {
        self.keyword("multipleOf").any(|divisor| is_multiple(divisor, base))
    }

    pub(super) fn required(&self) -> BTreeSet<&'a str> {
        self.keyword("required").filter_map(Value::as_array).flatten().filter_map(Value::as_str).collect()
    }

    /// Returns the names of the properties that a schema describes.
    pub(super) fn properties(&self) -> BTreeSet<&'a str> {
        self.keyword("properties").filter_map(Value::as_object).flatten().map(|(name, _)| name.as_str()).collect()
    }

    /// Returns what is known about a property.
    pub(super) fn property(&self, name: &str) -> Self {
        let mut property = Self::anything(self.root);
        for schema in &self.schemas {
            let own = schema.get("properties").and_then(|properties| properties.get(name));
            if let Some(schema) = own.or_else(|| rest(schema, None)) {
                property.add(schema);
            }
        }
        property
    }

    /// Returns what is known about properties that no schema describes and that match none of the given patterns.
    pub(super) fn other_properties(&self, patterns: Option<&Value>) -> Self {
        let mut other = Self::anything(self.root);
        for schema in &self.schemas {
            if let Some(schema) = rest(schema, patterns) {
                other.add(schema);
            }
        }
        other
    }

    /// Returns what is known about the element at an index or, without an index, about the elements after `prefixItems`.
    pub(super) fn element(&self, index: Option<usize>) -> Self {
        let mut element = Self::anything(self.root);
        for schema in &self.schemas {
            let prefix = schema.get("prefixItems").and_then(Value::as_array);
            let own = index.and_then(|index| prefix?.get(index));
            if let Some(schema) = own.or_else(|| schema.get("items")) {
                element.add(schema);
            }
        }
        element
    }

    /// Returns how many elements `prefixItems` describes.
    pub(super) fn prefix_length(&self) -> usize {
        self.keyword("prefixItems").filter_map(Value::as_array).map(Vec::len).max().unwrap_or_default()
    }

    /// Returns `true` if an array never has an element at this index.
    pub(super) fn ends_before(&self, index: usize) -> bool {
        let most = self.keyword("maxItems").filter_map(Value::as_u64).min();
        most.is_some_and(|most| most <= index as u64)
    }

    /// Returns `true` if no value matches both. `depth` limits how deep properties are compared.
    pub(super) fn is_disjoint_from(&self, other: &Conjunction<'_>, depth: usize) -> bool {
        if self.is_never || other.is_never {
            return true;
        }
        let both = self.types() & other.types();
        if both == 0 {
            return true;
        }
        if let (Some(values), Some(others)) = (self.values(), other.values())
            && !values.iter().any(|value| others.iter().any(|other| may_equal(value, other)))
        {
            return true;
        }
        if both != json_types::OBJECT || depth == 0 {
            return false;
        }
        // A property that one of them requires is in every value that matches both.
        let (mine, theirs) = (self.required(), other.required());
        mine.union(&theirs).any(|name| self.property(name).is_disjoint_from(&other.property(name), depth - 1))
    }
}

/// Returns the schema of the properties that a schema does not describe. It is unknown if the schema has other patterns than
/// the given ones, because a pattern may match such a property.
fn rest<'a>(schema: &'a Schema, patterns: Option<&Value>) -> Option<&'a Value> {
    match schema.get("patternProperties") {
        Some(own) if patterns != Some(own) => None,
        _ => schema.get("additionalProperties"),
    }
}

/// Returns `true` for the schemas `true` and `{}`.
pub(super) fn is_anything(schema: &Value) -> bool {
    schema == &Value::Bool(true) || schema.as_object().is_some_and(Map::is_empty)
}

/// Returns the elements of an array, for example the variants of `anyOf`. Any other value has none.
pub(super) fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
