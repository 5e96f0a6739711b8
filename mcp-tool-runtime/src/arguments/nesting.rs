//! Limits how deeply arguments may nest for an untagged enum that contains itself.
//!
//! serde tries the variants of an untagged enum one after the other. If two variants have the same property, and that
//! property contains the enum again, serde reads its content twice at each level: 2^120 reads for 120 levels. The
//! deserializer of this crate does not see this, because serde reads the variants from its own buffer. So `build` looks
//! for such types in the input schema, and a call to a tool with such a type first counts the reads that its arguments
//! would take. Other tools pay nothing.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::json::tape::{Tape, View};
use crate::json::violation::Violation;
use crate::schema::reference;
use crate::schema::walk::{self, Position, keyword, keyword_or_null};

/// The number of reads that are allowed for every document. At about 50 ns each, that is less than a millisecond.
const FREE_READS: u64 = 16_384;

/// The number of additional reads that are allowed for each value and each key of a document.
const READS_PER_SLOT: u64 = 64;

/// How many times, at most, serde reads the same property or element while it decodes the arguments of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NestingLimit {
    reads_of_property: u64,
    reads_of_element: u64,
}

impl NestingLimit {
    /// Computes the limit from an input schema. Returns `None` if no type reads anything more than once, as is the case
    /// for most tools.
    pub(crate) fn of(schema: &Value) -> Option<Self> {
        let mut limit = Self { reads_of_property: 1, reads_of_element: 1 };
        // Look only at definitions, because a recursive type is always one of them.
        for definition in keyword(schema, "$defs")?.as_object()?.values() {
            walk::visit(definition, &mut |inside| {
                let counts = count(inside, definition, schema);
                // If one variant is a map, it also reads the properties that other variants name.
                let by_maps = counts.get(&Part::OtherProperty).copied().unwrap_or(0);
                for (part, reads) in counts {
                    let (most, reads) = match part {
                        Part::Property(_) => (&mut limit.reads_of_property, reads + by_maps),
                        Part::OtherProperty => (&mut limit.reads_of_property, reads),
                        Part::Element => (&mut limit.reads_of_element, reads),
                    };
                    *most = reads.max(*most);
                }
            });
        }
        (limit.reads_of_property.max(limit.reads_of_element) > 1).then_some(limit)
    }

    /// Returns a violation if reading the document would take too long.
    pub(crate) fn violation(self, document: &Tape<'_>) -> Option<Violation> {
        let slots = document.slots_from(0).len() as u64;
        (self.reads(document.root(), 1) > FREE_READS + READS_PER_SLOT * slots).then(|| {
            Violation::root(
                "nested too deep for this type, which has to read each level several times: send fewer levels of nesting",
            )
        })
    }

    /// Returns the total number of reads for a value and everything inside it, if the value itself is read `times`
    /// times.
    fn reads(self, value: View<'_>, times: u64) -> u64 {
        let inside = |value, factor| self.reads(value, times.saturating_mul(factor));
        let elements = value.elements().into_iter().flatten().map(|element| inside(element, self.reads_of_element));
        let properties = value.properties().into_iter().flatten();
        let properties = properties.map(|(_, value)| inside(value, self.reads_of_property));
        elements.chain(properties).fold(times, u64::saturating_add)
    }
}

/// A part of a value that a schema describes: a named property, any other property, or an element.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part<'s> {
    Property(&'s str),
    OtherProperty,
    Element,
}

/// Counts how many times the type that `schema` describes reads each part of a value. Leaves out the parts that cannot
/// contain a value of `definition` again.
fn count<'s>(schema: &'s Value, definition: &Value, root: &'s Value) -> HashMap<Part<'s>, u64> {
    let mut counts = HashMap::new();
    walk::visit_children(schema, |location, child| {
        let part = match (location.keyword, location.position) {
            ("properties", Position::Named(name)) => Part::Property(name),
            ("additionalProperties" | "patternProperties", _) => Part::OtherProperty,
            ("items" | "prefixItems", _) => Part::Element,
            _ => return,
        };
        if leads_to(child, definition, root) {
            counts.insert(part, 1);
        }
    });
    let mut add = |all: HashMap<Part<'s>, u64>| {
        for (part, reads) in all {
            *counts.entry(part).or_insert(0) += reads;
        }
    };
    let branches = |union: &str| keyword_or_null(schema, union).as_array().into_iter().flatten();
    for part in reference::target(schema, root).into_iter().chain(branches("allOf")).chain(branches("anyOf")) {
        add(count(part, definition, root));
    }
    // serde reads only one branch of a `oneOf`, selected by a tag or by the variant's name, so take the maximum instead
    // of the sum.
    let mut selected = HashMap::new();
    for (part, reads) in branches("oneOf").flat_map(|branch| count(branch, definition, root)) {
        let most: &mut u64 = selected.entry(part).or_insert(0);
        *most = reads.max(*most);
    }
    add(selected);
    counts
}

/// Returns `true` if a value of the schema may be, or may contain, a value of `definition`.
fn leads_to(schema: &Value, definition: &Value, root: &Value) -> bool {
    let (mut pending, mut seen) = (vec![schema], HashSet::new());
    while let Some(schema) = pending.pop() {
        if std::ptr::eq(schema, definition) {
            return true;
        }
        if seen.insert(std::ptr::from_ref(schema)) {
            pending.extend(reference::target(schema, root));
            walk::visit_children(schema, |_, child| pending.push(child));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::reader::read_value;

    fn limit(union: &Value) -> Option<(u64, u64)> {
        let schema = json!({ "properties": { "value": { "$ref": "#/$defs/T" } }, "$defs": { "T": union } });
        NestingLimit::of(&schema).map(|limit| (limit.reads_of_property, limit.reads_of_element))
    }

    #[test]
    fn variants_that_read_the_same_part_are_counted() {
        let list = json!({ "type": "array", "items": { "$ref": "#/$defs/T" } });
        let object =
            |name: &str, schema: &Value| json!({ "type": "object", "properties": { name: schema, "other": {} } });
        let this = json!({ "$ref": "#/$defs/T" });
        let map = json!({ "type": "object", "additionalProperties": this });
        let a = object("a", &this);
        for (union, expected) in [
            (json!({ "anyOf": [a, a, { "type": "string" }] }), Some((2, 1))),
            (json!({ "anyOf": [object("a", &list), object("a", &list)] }), Some((2, 1))),
            (json!({ "anyOf": [list, list, list] }), Some((1, 3))),
            (json!({ "anyOf": [a, map] }), Some((2, 1))),
            // A variant may be a union itself, and the type may have flattened fields.
            (json!({ "anyOf": [{ "anyOf": [a, a] }, a] }), Some((3, 1))),
            (json!({ "anyOf": [{ "oneOf": [a, a] }, a] }), Some((2, 1))),
            (json!({ "allOf": [{ "anyOf": [a, a] }, { "anyOf": [a, { "type": "object" }] }] }), Some((3, 1))),
            (json!({ "anyOf": [object("a", &json!({ "oneOf": [{}, this] })), a] }), Some((2, 1))),
            // The types from here on need no limit. In this one, the variants have different properties.
            (json!({ "anyOf": [a, object("b", &this)] }), None),
            // Only one variant is recursive.
            (json!({ "anyOf": [object("a", &list), { "type": "null" }] }), None),
            // `oneOf` means that a tag selects the variant.
            (json!({ "oneOf": [a, a] }), None),
            // No variant is recursive.
            (json!({ "anyOf": [object("a", &json!({})), object("a", &json!({}))] }), None),
        ] {
            assert_eq!(limit(&union), expected, "{union}");
        }
    }

    #[test]
    fn a_document_that_nests_too_deep_for_its_type_is_refused() {
        let limit = NestingLimit { reads_of_property: 2, reads_of_element: 1 };
        let is_refused = |levels: usize, others: usize| {
            let value = (0..levels).fold(json!({ "others": vec![0; others] }), |value, _| json!({ "a": value }));
            limit.violation(&read_value(&value).expect("a document")).is_some()
        };
        assert!(!is_refused(10, 0) && is_refused(14, 0) && is_refused(40, 0) && is_refused(118, 0));
        // Each value raises the limit, but each level doubles the reads of everything inside it.
        assert!(!is_refused(3, 1_000) && is_refused(13, 1_000));
    }
}
