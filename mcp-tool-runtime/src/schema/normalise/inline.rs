//! References (rule T3).

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::graph::Graph;
use super::merge::merge;
use super::prune;
use crate::document::writer::ByteCounter;
use crate::schema::reference;
use crate::schema::walk::{self, keyword};

/// How many times its size a schema may reach by inlining.
const GROWTH: usize = 2;

/// What stands around a definition, in bytes, that cannot be merged into the place of a reference to it: `,"allOf":[]`.
const JOINT: usize = 11;

/// Replaces references by what they refer to.
///
/// A definition that is used once goes to its place; one used more often only as long as the whole stays within
/// [`GROWTH`] times its size, smaller ones first. What is recursive stays under `$defs`. The root is never a
/// reference, and nothing refers to `#`, which names something else once the schema stands in another one.
///
/// ```
/// # mcp_tool_runtime::__step! { inline:
/// before  {"properties": {"home": {"$ref": "#/$defs/Address", "description": "where"}},
///          "$defs": {"Address": {"type": "object"}}}
/// after   {"properties": {"home": {"type": "object", "description": "where"}}}
/// # }
/// ```
pub(super) fn inline(schema: &mut Value) {
    name_the_root(schema);
    references(schema);
}

/// References to definitions.
pub(super) fn references(schema: &mut Value) {
    resolve_the_root(schema);
    if definitions(schema).next().is_none() {
        return;
    }
    let mut graph = Graph::of(schema);
    prune::prune_by(&mut graph, schema);
    let mut settled = graph.fixed();
    let once: Vec<_> = graph.used_once().filter(|name| !settled.contains(*name)).collect();
    if definitions(schema).count() == once.len() {
        substitute(schema, &once, Option::take);
        return;
    }
    let mut most = size(schema);
    let limit = GROWTH * most;
    // What goes to its place leaves its key and the reference behind, so the whole gets no larger.
    substitute(schema, &once, Option::take);
    while let Some((name, size_of_one)) = next(schema, &settled) {
        let size_with = most + uses(schema, &name) * (size_of_one + JOINT);
        if size_with <= limit {
            most = size_with;
            substitute(schema, &[&name], |body| body.clone());
            continue;
        }
        let mut trial = schema.clone();
        substitute(&mut trial, &[&name], |body| body.clone());
        let size_of_trial = size(&trial);
        if size_of_trial <= limit {
            most = size_of_trial;
            *schema = trial;
        } else {
            settled.insert(name);
        }
    }
}

fn definitions(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("$defs").and_then(Value::as_object).into_iter().flatten()
}

fn size(schema: &Value) -> usize {
    let mut length = ByteCounter(0);
    // Counting bytes does not fail.
    let _ = serde_json::to_writer(&mut length, schema);
    length.0
}

/// A reference to `#` becomes one to a definition of the root's own schema.
pub(super) fn name_the_root(schema: &mut Value) {
    let refers_to_root = |schema: &Value| keyword(schema, "$ref").and_then(Value::as_str) == Some("#");
    let mut found = false;
    walk::visit(schema, &mut |schema| found |= refers_to_root(schema));
    if !found {
        return;
    }
    let taken: BTreeSet<&String> = definitions(schema).map(|(name, _)| name).collect();
    let mut name = "Root".to_owned();
    while taken.contains(&name) {
        name.push('_');
    }
    let mut body = schema.clone();
    if let (Some(body), Some(root)) = (body.as_object_mut(), schema.as_object_mut()) {
        body.shift_remove("$defs");
        if let Value::Object(definitions) = root.entry("$defs").or_insert_with(|| Map::new().into()) {
            definitions.insert(name.clone(), Value::Object(std::mem::take(body)));
        }
    }
    walk::visit_mut(schema, &mut |schema| {
        if refers_to_root(schema) {
            schema["$ref"] = reference::to_definition(&name).into();
        }
    });
}

fn resolve_the_root(schema: &mut Value) {
    let mut followed = BTreeSet::new();
    while let Some(name) = reference::definition_name(schema).map(Cow::into_owned)
        && followed.insert(name.clone())
        && let Some(root) = schema.as_object_mut()
    {
        let definitions = root.shift_remove("$defs");
        let target = definitions.as_ref().and_then(|definitions| definitions.get(&name)).cloned();
        let mut site = std::mem::take(root);
        if let Some(target) = target {
            site.shift_remove("$ref");
            *schema = merge(site, target);
        } else {
            *root = site;
        }
        if let (Some(definitions), Some(root)) = (definitions, schema.as_object_mut()) {
            root.insert("$defs".to_owned(), definitions);
        }
    }
}

/// The definition to try now, and its size: the smallest.
fn next(schema: &Value, settled: &BTreeSet<String>) -> Option<(String, usize)> {
    let open = definitions(schema).filter(|(name, _)| !settled.contains(*name));
    let (size, name) = open.map(|(name, body)| (size(body), name)).min_by_key(|(size, _)| *size)?;
    Some((name.clone(), size))
}

/// How often something refers to a definition.
fn uses(schema: &Value, name: &str) -> usize {
    let mut uses = 0;
    walk::visit(schema, &mut |schema| {
        uses += usize::from(reference::definition_name(schema).is_some_and(|other| other == name));
    });
    uses
}

/// Puts definitions in the place of references to them: what `take` leaves of each, which is all of it or a copy. The
/// names are sorted.
fn substitute(schema: &mut Value, names: &[&str], take: fn(&mut Option<Value>) -> Option<Value>) {
    let Some(all) = schema.get_mut("$defs").and_then(Value::as_object_mut) else { return };
    let mut bodies: Vec<_> = names.iter().map(|name| all.shift_remove(*name)).collect();
    if all.is_empty()
        && let Some(root) = schema.as_object_mut()
    {
        root.shift_remove("$defs");
    }
    let mut body = |name: &str| take(&mut bodies[names.binary_search(&name).ok()?]);
    walk::visit_mut(schema, &mut |schema| {
        // What takes the place of a reference may be another one.
        while let Some(body) = reference::definition_name(schema).and_then(|name| body(&name))
            && let Some(site) = schema.as_object_mut()
        {
            let mut site = std::mem::take(site);
            site.shift_remove("$ref");
            *schema = merge(site, body);
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
    fn a_definition_used_once_goes_to_its_place() {
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
    fn smaller_definitions_go_first_and_the_size_limits_the_rest() {
        let use_three = |name: &str| json!([{ "$ref": name }, { "$ref": name }, { "$ref": name }, { "$ref": name }]);
        let schema = after(json!({
            "allOf": use_three("#/$defs/Large"),
            "anyOf": use_three("#/$defs/Small"),
            "$defs": { "Large": { "description": "x".repeat(900) }, "Small": { "type": "string" } }
        }));
        assert_eq!(schema["anyOf"][3], json!({ "type": "string" }));
        assert_eq!(schema["allOf"][0], json!({ "$ref": "#/$defs/Large" }));
        assert_eq!(schema["$defs"].as_object().map(Map::len), Some(1));
    }

    #[test]
    fn what_was_tried_counts_for_what_comes_after_it() {
        let refer = |name: &str, times: usize| vec![json!({ "$ref": format!("#/$defs/{name}") }); times];
        let before = json!({
            "allOf": refer("A", 10),
            "anyOf": refer("B", 2),
            "$defs": { "A": { "description": "a".repeat(65) }, "B": { "description": "b".repeat(265) } }
        });
        let schema = after(before.clone());
        assert_eq!(schema["allOf"][0], json!({ "description": "a".repeat(65) }));
        assert!(size(&schema) <= GROWTH * size(&before), "{schema}");
    }

    #[test]
    fn recursion_stays_below_the_root() {
        let node = json!({ "type": "object", "properties": { "next": { "$ref": "#/$defs/Node" } } });
        let mut expected = node.clone();
        expected["$defs"] = json!({ "Node": node });
        assert_eq!(after(json!({ "$ref": "#/$defs/Node", "$defs": { "Node": node } })), expected);
    }

    #[test]
    fn the_root_gets_a_name_where_something_refers_to_it() {
        let body = json!({ "type": "object", "properties": { "next": { "$ref": "#/$defs/Root" } } });
        let mut expected = body.clone();
        expected["$defs"] = json!({ "Root": body });
        assert_eq!(after(json!({ "type": "object", "properties": { "next": { "$ref": "#" } } })), expected);
    }

    #[test]
    fn mutual_recursion_stays_and_what_is_pointed_into_stays() {
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
    fn a_reference_in_a_value_is_none() {
        let schema = json!({
            "properties": { "$ref": { "type": "string", "default": { "$ref": "#/$defs/A" } } }
        });
        assert_eq!(after(schema.clone()), schema);
    }
}
