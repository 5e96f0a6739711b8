//! Inlines definitions (rule T3).

use std::collections::HashSet;

use serde_json::Value;

use super::graph::prune;
use super::hoist::name_the_root;
use super::merge::merge_into;
use super::optional::Definitions;
use crate::json::writer::json_length;
use crate::schema::{reference, walk};

/// The maximum factor by which inlining enlarges a schema.
const MAX_GROWTH: usize = 2;

/// The number of bytes that are added where a definition cannot be merged into the reference: `,"allOf":[]`.
const ALL_OF_SIZE: usize = 11;

/// Replaces references with the definitions that they refer to, except where a definition must stay or the schema would
/// grow too much.
///
/// A definition that is used once is always inlined. Other definitions are inlined smallest first, as long as the
/// schema stays within [`MAX_GROWTH`] times its original size. Definitions that cannot be inlined, such as recursive
/// ones, stay under `$defs`. Afterwards the root is not a reference, and nothing refers to `#`, because the meaning of
/// `#` would change if the schema were embedded in another one.
///
/// ```text
/// before  {"properties": {"home": {"$ref": "#/$defs/Address", "description": "where"}},
///          "$defs": {"Address": {"type": "object"}}}
/// after   {"properties": {"home": {"type": "object", "description": "where"}}}
/// ```
pub(super) fn inline(schema: &mut Value) {
    name_the_root(schema, "Root".to_owned());
    resolve_the_root(schema);
    let graph = prune(schema);
    let mut not_inlined = graph.not_inlinable();
    let once: Vec<_> =
        graph.used_at_most_once().filter(|name| !not_inlined.contains(*name)).map(str::to_owned).collect();
    if entries(schema).count() == once.len() {
        return substitute(schema, &once, Definitions::swap_remove);
    }
    let mut max_size = json_length(schema);
    let limit = MAX_GROWTH * max_size;
    // Inlining a definition that is used once removes its key and the reference, so the schema does not grow.
    substitute(schema, &once, Definitions::swap_remove);
    while let Some((name, definition_size)) = smallest(schema, &not_inlined) {
        // Compute an upper bound, which is cheaper than writing the schema to measure it.
        let size_bound = max_size + uses(schema, &name) * (definition_size + ALL_OF_SIZE);
        if size_bound <= limit {
            max_size = size_bound;
            substitute(schema, std::slice::from_ref(&name), copy);
            continue;
        }
        let mut trial = schema.clone();
        substitute(&mut trial, std::slice::from_ref(&name), copy);
        let trial_size = json_length(&trial);
        if trial_size <= limit {
            max_size = trial_size;
            *schema = trial;
        } else {
            not_inlined.insert(name);
        }
    }
}

fn entries(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("$defs").and_then(Value::as_object).into_iter().flatten()
}

/// If the root is a reference, replaces it with the definition that it refers to.
fn resolve_the_root(schema: &mut Value) {
    let mut followed = HashSet::new();
    while let Some(name) = reference::definition_name(schema)
        && followed.insert(name.clone())
    {
        if let Some(target) = schema["$defs"].get(&name).cloned() {
            merge_into(schema, "$ref", target);
        }
    }
}

/// Returns the name and the size of the smallest definition that may still be inlined.
fn smallest(schema: &Value, not_inlined: &HashSet<String>) -> Option<(String, usize)> {
    let candidates = entries(schema).filter(|(name, _)| !not_inlined.contains(*name));
    let (size, name) = candidates.map(|(name, body)| (json_length(body), name)).min_by_key(|(size, _)| *size)?;
    Some((name.clone(), size))
}

/// Counts the references to a definition.
fn uses(schema: &Value, name: &str) -> usize {
    let mut uses = 0;
    walk::visit(schema, &mut |schema| {
        uses += usize::from(reference::definition_name(schema).is_some_and(|other| other == name));
    });
    uses
}

fn copy(definitions: &mut Definitions, name: &str) -> Option<Value> {
    definitions.get(name).cloned()
}

/// Replaces references to the definitions in `names` with the definitions, and removes the definitions from `$defs`.
///
/// `take` is called for each reference, and either moves the definition out of the map or copies it.
fn substitute(schema: &mut Value, names: &[String], take: fn(&mut Definitions, &str) -> Option<Value>) {
    let mut all = super::take_definitions(schema);
    let mut removed: Definitions = names.iter().filter_map(|name| all.shift_remove_entry(name)).collect();
    super::put_definitions(schema, all);
    walk::visit_mut(schema, &mut |schema| {
        // Use a loop, because the definition may itself be a reference.
        while let Some(definition) = reference::definition_name(schema).and_then(|name| take(&mut removed, &name)) {
            merge_into(schema, "$ref", definition);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn after(mut schema: Value) -> Value {
        inline(&mut schema);
        schema
    }

    #[test]
    fn a_definition_that_is_used_once_is_inlined() {
        assert_eq!(
            after(json!({
                "properties": { "home": { "$ref": "#/$defs/Address", "description": "where" } },
                "$defs": {
                    "Address": { "description": "an address", "items": { "$ref": "#/$defs/Line" } },
                    "Line": { "type": "string", "description": "x".repeat(500) }
                }
            })),
            json!({
                "properties": { "home": {
                    "description": "where",
                    "items": { "type": "string", "description": "x".repeat(500) }
                } }
            })
        );
    }

    #[test]
    fn small_definitions_are_inlined_first_up_to_the_size_limit() {
        let use_three = |name: &str| json!([{ "$ref": name }, { "$ref": name }, { "$ref": name }, { "$ref": name }]);
        let schema = after(json!({
            "allOf": use_three("#/$defs/Large"),
            "anyOf": use_three("#/$defs/Small"),
            "$defs": { "Large": { "description": "x".repeat(900) }, "Small": { "type": "string" } }
        }));
        assert_eq!(schema["anyOf"][3], json!({ "type": "string" }));
        assert_eq!(schema["allOf"][0], json!({ "$ref": "#/$defs/Large" }));
        assert_eq!(schema["$defs"].as_object().map(serde_json::Map::len), Some(1));
    }

    #[test]
    fn the_size_limit_counts_definitions_inlined_before() {
        let refer = |name: &str, times: usize| vec![json!({ "$ref": format!("#/$defs/{name}") }); times];
        let before = json!({
            "allOf": refer("A", 10),
            "anyOf": refer("B", 2),
            "$defs": { "A": { "description": "a".repeat(65) }, "B": { "description": "b".repeat(265) } }
        });
        let schema = after(before.clone());
        assert_eq!(schema["allOf"][0], json!({ "description": "a".repeat(65) }));
        assert!(json_length(&schema) <= MAX_GROWTH * json_length(&before), "{schema}");
    }

    #[test]
    fn a_recursive_definition_stays_and_the_root_is_a_copy() {
        let node = json!({ "type": "object", "properties": { "next": { "$ref": "#/$defs/Node" } } });
        let mut expected = node.clone();
        expected["$defs"] = json!({ "Node": node });
        assert_eq!(after(json!({ "$ref": "#/$defs/Node", "$defs": { "Node": node } })), expected);
    }

    #[test]
    fn references_to_the_root_become_references_to_a_definition() {
        let body = json!({ "type": "object", "properties": { "next": { "$ref": "#/$defs/Root" } } });
        let mut expected = body.clone();
        expected["$defs"] = json!({ "Root": body });
        assert_eq!(after(json!({ "type": "object", "properties": { "next": { "$ref": "#" } } })), expected);
    }

    #[test]
    fn mutually_recursive_definitions_and_targets_of_inner_pointers_stay() {
        let schema = json!({
            "properties": { "a": { "$ref": "#/$defs/A" }, "c": { "$ref": "#/$defs/C/items" } },
            "$defs": {
                "A": { "items": { "$ref": "#/$defs/B" } },
                "B": { "items": { "$ref": "#/$defs/A" } },
                "C": { "items": { "type": "string" } }
            }
        });
        assert_eq!(after(schema.clone()), schema);
    }

    #[test]
    fn a_reference_in_a_default_is_ignored() {
        let schema = json!({
            "properties": { "$ref": { "type": "string", "default": { "$ref": "#/$defs/A" } } }
        });
        assert_eq!(after(schema.clone()), schema);
    }
}
