//! What is known of the values that several schemas admit at once.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value};

use super::numbers::{at_least, is_multiple, order};
use crate::document::number::Numeral;
use crate::schema::reference;

pub(super) type Schema = Map<String, Value>;

/// The kinds of values, one bit each; an integer is a number without a fraction.
pub(super) mod kinds {
    pub(in super::super) const NULL: u8 = 1;
    pub(in super::super) const BOOLEAN: u8 = 2;
    pub(in super::super) const INTEGER: u8 = 4;
    pub(in super::super) const FRACTION: u8 = 8;
    pub(in super::super) const NUMBER: u8 = INTEGER | FRACTION;
    pub(in super::super) const STRING: u8 = 16;
    pub(in super::super) const ARRAY: u8 = 32;
    pub(in super::super) const OBJECT: u8 = 64;
    pub(in super::super) const ALL: u8 = 127;
}

/// Schemas that hold of a value together. Each is an object; what it refers to and the parts of its `allOf` stand
/// beside it. Less may be known than the schemas say, never more.
#[derive(Clone, Debug)]
pub(super) struct Conjunction<'a> {
    pub(super) parts: Vec<&'a Schema>,
    /// Whether no value is admitted.
    pub(super) is_never: bool,
    root: &'a Value,
}

impl<'a> Conjunction<'a> {
    /// Nothing is known.
    pub(super) fn anything(root: &'a Value) -> Self {
        Self { parts: Vec::new(), is_never: false, root }
    }

    pub(super) fn of(schema: &'a Value, root: &'a Value) -> Self {
        let mut this = Self::anything(root);
        this.add(schema);
        this
    }

    /// Adds a schema that holds as well.
    pub(super) fn add(&mut self, schema: &'a Value) {
        let mut pending = vec![schema];
        while let Some(schema) = pending.pop() {
            match schema {
                Value::Bool(admits) => self.is_never |= !admits,
                Value::Object(part) if !self.has(part) => {
                    self.parts.push(part);
                    self.is_never |= part.get("not").is_some_and(is_anything);
                    pending.extend(part.get("allOf").and_then(Value::as_array).into_iter().flatten());
                    let target = part.get("$ref").and_then(Value::as_str);
                    pending.extend(target.and_then(|target| reference::resolve(self.root, target)));
                }
                _ => {}
            }
        }
        self.is_never |= self.kinds() == 0;
    }

    /// Whether this very schema is among the parts.
    pub(super) fn has(&self, part: &Schema) -> bool {
        self.parts.iter().any(|known| std::ptr::eq(*known, part))
    }

    /// The kinds of values that are admitted.
    pub(super) fn kinds(&self) -> u8 {
        let mut kinds = self.parts.iter().fold(kinds::ALL, |kinds, part| kinds & of_type(part));
        if let Some(values) = self.values() {
            kinds &= values.iter().fold(0, |kinds, value| kinds | of_value(value));
        }
        kinds
    }

    /// The values, where there are only so many.
    pub(super) fn values(&self) -> Option<Vec<&'a Value>> {
        let mut all: Option<Vec<&'a Value>> = None;
        for part in &self.parts {
            let listed: Vec<_> = match (part.get("const"), part.get("enum").and_then(Value::as_array)) {
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
        if all.is_none() && self.parts.iter().any(|part| part.get("type").is_some_and(|kind| kind == "null")) {
            return Some(vec![&Value::Null]);
        }
        all
    }

    /// What a keyword says, part by part.
    pub(super) fn said(&self, keyword: &str) -> impl Iterator<Item = &'a Value> {
        self.parts.iter().filter_map(move |part| part.get(keyword))
    }

    /// The closest bound that a keyword sets, or its exclusive form; and which of both it is.
    pub(super) fn bound(&self, keyword: &str, exclusive: &str, is_lower: bool) -> Option<(&'a Number, bool)> {
        let bounds = [(keyword, false), (exclusive, true)].into_iter().flat_map(|(keyword, is_exclusive)| {
            self.said(keyword).filter_map(Value::as_number).map(move |number| (number, is_exclusive))
        });
        bounds.reduce(|closest, next| {
            let closer = if is_lower { at_least(next.0, closest.0) } else { at_least(closest.0, next.0) };
            // Of two equal ones the exclusive one is closer.
            if closer && (next.0 != closest.0 || next.1) { next } else { closest }
        })
    }

    pub(super) fn is_multiple_of(&self, base: &Value) -> bool {
        self.said("multipleOf").any(|of| is_multiple(of, base))
    }

    pub(super) fn required(&self) -> BTreeSet<&'a str> {
        self.said("required").filter_map(Value::as_array).flatten().filter_map(Value::as_str).collect()
    }

    /// The names of members that some part describes.
    pub(super) fn members(&self) -> BTreeSet<&'a str> {
        self.said("properties").filter_map(Value::as_object).flatten().map(|(name, _)| name.as_str()).collect()
    }

    /// What is known of one member.
    pub(super) fn member(&self, name: &str) -> Self {
        let mut member = Self::anything(self.root);
        for part in &self.parts {
            let own = part.get("properties").and_then(|properties| properties.get(name));
            if let Some(schema) = own.or_else(|| rest(part, None)) {
                member.add(schema);
            }
        }
        member
    }

    /// What is known of members that no part describes; of those that match none of these patterns, if there are any.
    pub(super) fn other_members(&self, patterns: Option<&Value>) -> Self {
        let mut other = Self::anything(self.root);
        for part in &self.parts {
            if let Some(schema) = rest(part, patterns) {
                other.add(schema);
            }
        }
        other
    }

    /// What is known of one element, or of any after the described ones.
    pub(super) fn element(&self, index: Option<usize>) -> Self {
        let mut element = Self::anything(self.root);
        for part in &self.parts {
            let described = part.get("prefixItems").and_then(Value::as_array);
            let own = index.and_then(|index| described?.get(index));
            if let Some(schema) = own.or_else(|| part.get("items")) {
                element.add(schema);
            }
        }
        element
    }

    /// How many elements are described one by one.
    pub(super) fn described_elements(&self) -> usize {
        self.said("prefixItems").filter_map(Value::as_array).map(Vec::len).max().unwrap_or_default()
    }

    /// Whether there is no element at this index.
    pub(super) fn ends_before(&self, index: usize) -> bool {
        let most = self.said("maxItems").filter_map(Value::as_u64).min();
        most.is_some_and(|most| most <= index as u64)
    }

    /// Whether no value is admitted by this and by a schema.
    pub(super) fn is_apart_from(&self, other: &Conjunction<'_>, depth: usize) -> bool {
        if self.is_never || other.is_never {
            return true;
        }
        let both = self.kinds() & other.kinds();
        if both == 0 {
            return true;
        }
        if let (Some(values), Some(others)) = (self.values(), other.values())
            && !values.iter().any(|value| others.iter().any(|other| may_equal(value, other)))
        {
            return true;
        }
        if both != kinds::OBJECT || depth == 0 {
            return false;
        }
        let (mine, theirs) = (self.required(), other.required());
        mine.union(&theirs).any(|name| {
            let (own, others) = (self.member(name), other.member(name));
            // What one requires and the other never has is apart too.
            let always = mine.contains(name) && theirs.contains(name);
            own.is_never || others.is_never || (always && own.is_apart_from(&others, depth - 1))
        })
    }
}

/// The schema of the members that a part does not describe. With patterns of its own it describes some that it does not
/// name, unless whoever asks has left just those out.
fn rest<'a>(part: &'a Schema, patterns: Option<&Value>) -> Option<&'a Value> {
    match part.get("patternProperties") {
        Some(own) if patterns != Some(own) => None,
        _ => part.get("additionalProperties"),
    }
}

/// Whether two values may be one to JSON Schema, for which `1` is `1.0`. Lists and objects are not looked into.
fn may_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => order(a, b).is_none_or(std::cmp::Ordering::is_eq),
        (Value::Array(_), Value::Array(_)) | (Value::Object(_), Value::Object(_)) => true,
        _ => a == b,
    }
}

/// Whether a schema admits everything.
pub(super) fn is_anything(schema: &Value) -> bool {
    schema == &Value::Bool(true) || schema.as_object().is_some_and(Map::is_empty)
}

fn of_type(part: &Schema) -> u8 {
    let one = |kind: &Value| match kind.as_str() {
        Some("null") => kinds::NULL,
        Some("boolean") => kinds::BOOLEAN,
        Some("integer") => kinds::INTEGER,
        Some("number") => kinds::NUMBER,
        Some("string") => kinds::STRING,
        Some("array") => kinds::ARRAY,
        Some("object") => kinds::OBJECT,
        _ => kinds::ALL,
    };
    match part.get("type") {
        None => kinds::ALL,
        Some(Value::Array(all)) => all.iter().fold(0, |kinds, kind| kinds | one(kind)),
        Some(kind) => one(kind),
    }
}

pub(super) fn of_value(value: &Value) -> u8 {
    match value {
        Value::Null => kinds::NULL,
        Value::Bool(_) => kinds::BOOLEAN,
        Value::Number(number) if Numeral::from(number).integer().is_some() => kinds::INTEGER,
        // Beyond the exact integers a validator takes a float for an integer, and a dispatcher does not.
        Value::Number(number) if number.as_f64().is_some_and(|number| number.fract() == 0.0) => kinds::NUMBER,
        Value::Number(_) => kinds::FRACTION,
        Value::String(_) => kinds::STRING,
        Value::Array(_) => kinds::ARRAY,
        Value::Object(_) => kinds::OBJECT,
    }
}

/// The kinds that the `type` of a schema admits.
pub(super) fn types(schema: &Schema) -> u8 {
    of_type(schema)
}
