//! Bounds the time of reading an untagged enum that contains itself.
//!
//! serde reads an untagged enum by trying one variant after the other. If two variants have the same property and the enum itself is below it,
//! serde reads everything below that property twice, and so on for each level: 2^120 reads for a document of 120 levels. No
//! deserializer can see that, because serde reads the variants from its own buffer. So such types are found in the input schema,
//! and a document that nests too deep for its type is refused. All other types pay nothing.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::published::applicable;
use crate::json::tape::{Tape, View};
use crate::json::violation::Violation;
use crate::schema::reference::follow;
use crate::schema::walk::{self, Position};

/// How the time to read a value grows with its depth.
#[derive(Debug)]
pub(crate) struct Rereads {
    /// The number of reads of a value is at most this number to the power of its depth.
    factor_per_level: f64,
}

/// The reads that every document may take. With about 50 ns for each they are less than a millisecond.
const FREE_READS: f64 = 16_384.0;

/// The reads that a document may take for each of its values and keys.
const READS_PER_SLOT: f64 = 64.0;

impl Rereads {
    /// Looks for such a type in an input schema. Returns `None` for most.
    pub(crate) fn of(schema: &Value) -> Option<Self> {
        // A type that contains itself is a definition.
        walk::keyword(schema, "$defs")?;
        let mut groups = Vec::new();
        walk::visit(schema, &mut |subschema| groups.push(unions(subschema, schema)));
        // A union counts once, together with all that are read with it.
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        let mut counted = Vec::new();
        let mut factor_per_level = 1.0;
        for mut group in groups {
            group.retain(|union| !counted.contains(union));
            // If one union is inside another, their factors multiply.
            factor_per_level *= factor_of_level(&group, schema).unwrap_or(1.0);
            counted.extend(group);
        }
        (factor_per_level > 1.0).then_some(Self { factor_per_level })
    }

    /// Returns a violation if the type would take too long to read the document.
    pub(crate) fn violation(&self, document: &Tape<'_>) -> Option<Violation> {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let most = READS_PER_SLOT.mul_add(document.slots_from(0).len() as f64, FREE_READS);
        (self.reads(document.root(), 1.0) > most).then(|| {
            Violation::root(
                "nested too deep for this type, which has to read each level several times: send fewer levels of nesting",
            )
        })
    }

    /// Returns how many values the type reads at most, if it reads this one `times` times. The depth of a document is limited, so
    /// the recursion is.
    fn reads(&self, value: View<'_>, times: f64) -> f64 {
        let inner = times * self.factor_per_level;
        let elements = value.elements().into_iter().flatten().map(|element| self.reads(element, inner));
        let properties = value.properties().into_iter().flatten().map(|(_, value)| self.reads(value, inner));
        times + elements.chain(properties).sum::<f64>()
    }
}

/// The branches of a union, which are the same list only at the same address.
#[derive(Clone, Copy)]
struct Union<'s>(&'s [Value]);

impl PartialEq for Union<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

fn union(schema: &Value) -> Option<Union<'_>> {
    Some(Union(walk::keyword(schema, "anyOf")?.as_array()?))
}

/// Returns the unions that read the same value: that of the schema, and those of its flattened fields.
fn unions<'s>(schema: &'s Value, root: &'s Value) -> Vec<Union<'s>> {
    let flattened = walk::keyword_or_null(schema, "allOf").as_array().into_iter().flatten();
    std::iter::once(schema).chain(flattened.map(|part| follow(part, root))).filter_map(union).collect()
}

/// A step from a value to a value in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Descent<'s> {
    Property(&'s str),
    /// Any property that has no separate schema.
    Others,
    Elements,
}

/// Returns the factor by which one level multiplies the reads, if a branch leads back to one of the unions. It is more than 1 if several
/// branches read the same value.
fn factor_of_level(unions: &[Union<'_>], root: &Value) -> Option<f64> {
    // For each step: how many branches take it and lead back to a union, and the levels of the shortest way back.
    let mut by_descent: HashMap<Descent<'_>, (u32, usize)> = HashMap::new();
    for branch in unions.iter().flat_map(|union| union.0) {
        let mut seen = HashSet::new();
        for (descent, child) in descents(&applicable(vec![branch], root, &mut HashSet::new())) {
            let Some(levels) = levels_to(child, unions, root).filter(|_| seen.insert(descent)) else { continue };
            let (count, shortest) = by_descent.entry(descent).or_insert((0, usize::MAX));
            *count += 1;
            *shortest = (*shortest).min(levels + 1);
        }
    }
    // A map also reads the properties that other branches name.
    let others = by_descent.remove(&Descent::Others);
    let with_others = |(count, shortest): (u32, usize)| match others {
        Some((more, levels)) => (count + more, shortest.min(levels)),
        None => (count, shortest),
    };
    let all = by_descent.into_iter().map(|(descent, found)| match descent {
        Descent::Property(_) => with_others(found),
        _ => found,
    });
    #[expect(clippy::cast_precision_loss, reason = "a few levels")]
    let factors = all.chain(others).map(|(count, levels)| f64::from(count).powf(1.0 / levels as f64));
    factors.max_by(f64::total_cmp)
}

/// Returns the schemas of the values directly inside a value of these schemas.
fn descents<'s>(schemas: &[&'s Value]) -> Vec<(Descent<'s>, &'s Value)> {
    let mut found = Vec::new();
    for schema in schemas {
        walk::visit_children(schema, |location, child| match (location.keyword, location.position) {
            ("properties", Position::Named(name)) => found.push((Descent::Property(name), child)),
            ("additionalProperties" | "patternProperties", _) => found.push((Descent::Others, child)),
            ("items" | "prefixItems", _) => found.push((Descent::Elements, child)),
            _ => {}
        });
    }
    found
}

/// Returns after how many levels a schema leads to one of the unions, if it does.
fn levels_to(schema: &Value, unions: &[Union<'_>], root: &Value) -> Option<usize> {
    let mut seen = HashSet::new();
    let level = applicable(vec![schema], root, &mut seen);
    let mut levels = std::iter::successors(Some(level), |level| {
        let inside = descents(level).into_iter().map(|(_, schema)| schema).collect();
        Some(applicable(inside, root, &mut seen)).filter(|level| !level.is_empty())
    });
    levels.position(|level| level.iter().filter_map(|schema| union(schema)).any(|union| unions.contains(&union)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn factor(union: &Value) -> Option<f64> {
        let schema = json!({ "properties": { "value": { "$ref": "#/$defs/T" } }, "$defs": { "T": union } });
        Rereads::of(&schema).map(|rereads| rereads.factor_per_level)
    }

    #[test]
    fn the_factor_is_that_of_the_variants_that_read_the_same_value() {
        let list = json!({ "type": "array", "items": { "$ref": "#/$defs/T" } });
        let object =
            |name: &str, schema: &Value| json!({ "type": "object", "properties": { name: schema, "other": {} } });
        let this = json!({ "$ref": "#/$defs/T" });
        assert_eq!(
            factor(&json!({ "anyOf": [object("a", &this), object("a", &this), { "type": "string" }] })),
            Some(2.0)
        );
        assert_eq!(factor(&json!({ "anyOf": [object("a", &list), object("a", &list)] })), Some(2_f64.sqrt()));
        assert_eq!(factor(&json!({ "anyOf": [list, list, list] })), Some(3.0));
        let map = json!({ "type": "object", "additionalProperties": this });
        assert_eq!(factor(&json!({ "anyOf": [object("a", &this), map] })), Some(2.0));
        // Different properties, a single variant, a tag, or no recursion.
        assert_eq!(factor(&json!({ "anyOf": [object("a", &this), object("b", &this)] })), None);
        assert_eq!(factor(&json!({ "anyOf": [object("a", &list), { "type": "null" }] })), None);
        assert_eq!(factor(&json!({ "oneOf": [object("a", &this), object("a", &this)] })), None);
        assert_eq!(factor(&json!({ "anyOf": [object("a", &json!({})), object("a", &json!({}))] })), None);
    }

    #[test]
    fn the_flattened_unions_of_a_type_read_the_same_value() {
        let object = json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/T" } } });
        let one = json!({ "anyOf": [object, { "type": "object" }] });
        assert_eq!(factor(&json!({ "allOf": [one, one] })), Some(2.0));
        assert_eq!(factor(&json!({ "allOf": [one, { "anyOf": [object, object] }] })), Some(3.0));
        assert_eq!(factor(&json!({ "allOf": [one, { "type": "object" }] })), None);
    }

    #[test]
    fn a_document_that_nests_too_deep_for_its_type_is_refused() {
        let this = json!({ "$ref": "#/$defs/T" });
        let object = json!({ "type": "object", "properties": { "a": this } });
        let schema =
            json!({ "$ref": "#/$defs/T", "$defs": { "T": { "anyOf": [object, object, { "type": "string" }] } } });
        let rereads = Rereads::of(&schema).expect("it reads each level twice");
        let is_refused = |levels: usize, others: usize| {
            let mut value = json!({ "others": vec![0; others] });
            for _ in 0..levels {
                value = json!({ "a": value });
            }
            rereads.violation(&crate::json::reader::read_value(&value).expect("a document")).is_some()
        };
        assert!(!is_refused(10, 0) && is_refused(14, 0) && is_refused(40, 0));
        // The more values a document has, the more reads it may take; those of a deep list are too many again.
        assert!(!is_refused(3, 1_000) && is_refused(13, 1_000));
    }

    #[test]
    fn the_way_to_the_same_value_and_back_may_lead_through_other_combinations() {
        let this = json!({ "$ref": "#/$defs/T" });
        let object = json!({ "type": "object", "properties": { "a": this } });
        for combined in ["allOf", "anyOf", "oneOf"] {
            let inside = json!({ combined: [object, { "type": "object" }] });
            assert_eq!(factor(&json!({ "anyOf": [inside, object] })), Some(2.0), "{combined}");
            let back = json!({ "type": "object", "properties": { "a": { combined: [{ "type": "null" }, this] } } });
            assert_eq!(factor(&json!({ "anyOf": [back, back] })), Some(2.0), "{combined}");
        }
    }
}
