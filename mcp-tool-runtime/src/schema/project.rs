//! An output schema as one version of the protocol lists it (section 3 of the wire rules).
//!
//! From 2026-07-28 on it may be any schema; before, only an object, so that anything else is listed, and sent, as the
//! property `result` of one.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::reference;
use super::walk;

/// What an output schema admits, as far as the versions of the protocol tell it apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The root says `"type": "object"`.
    Object,
    /// Every value is an object, though the root does not say so: a union of objects.
    ImpliedObject,
    /// Anything else. Before 2026-07-28 such a value goes out inside an object.
    NotObject,
}

/// Tells which [`Shape`] the schema has, following local references. Recursive: for schemas within the bounds of
/// rule T16.
pub(crate) fn shape(schema: &Value) -> Shape {
    match schema.get("type") {
        Some(kind) if kind == "object" => Shape::Object,
        None if admits_only_objects(schema, schema, &mut BTreeMap::new()) => Shape::ImpliedObject,
        _ => Shape::NotObject,
    }
}

/// `known` holds what was found out about each reference, and `false` while one is being followed, so that a schema
/// that refers to itself alone is not taken for an object.
fn admits_only_objects(schema: &Value, root: &Value, known: &mut BTreeMap<String, bool>) -> bool {
    match schema.get("type") {
        Some(kind) => return kind == "object" || kind == &json!(["object"]),
        None if schema.is_boolean() => return false,
        None => {}
    }
    let mut every = |union: &str| match schema.get(union).and_then(Value::as_array) {
        Some(branches) => {
            !branches.is_empty() && branches.iter().all(|branch| admits_only_objects(branch, root, known))
        }
        None => false,
    };
    if every("oneOf") || every("anyOf") {
        return true;
    }
    if let Some(all) = schema.get("allOf").and_then(Value::as_array)
        && all.iter().any(|part| admits_only_objects(part, root, known))
    {
        return true;
    }
    let Some(target) = schema.get("$ref").and_then(Value::as_str) else {
        return false;
    };
    if let Some(known) = known.get(target) {
        return *known;
    }
    known.insert(target.to_owned(), false);
    let found = reference::resolve(root, target).is_some_and(|target| admits_only_objects(target, root, known));
    known.insert(target.to_owned(), found);
    found
}

/// The schema for 2026-07-28: as it is, with `"type": "object"` said where every branch is one anyway.
pub(crate) fn latest(schema: &Value) -> Value {
    match (shape(schema), schema) {
        (Shape::ImpliedObject, Value::Object(members)) => {
            // Before the union, where a reader expects it.
            let is_union = |keyword: &str| matches!(keyword, "oneOf" | "anyOf" | "allOf" | "$ref");
            let at = members.keys().position(|keyword| is_union(keyword)).unwrap_or_default();
            let mut said = members.clone();
            said.shift_insert(at, "type".to_owned(), "object".into());
            Value::Object(said)
        }
        _ => schema.clone(),
    }
}

/// The schema for 2025-06-18 and 2025-11-25: always an object, if need be with the natural schema as its `result`.
pub(crate) fn legacy(schema: &Value) -> Value {
    if shape(schema) != Shape::NotObject {
        return latest(schema);
    }
    let mut inner = match schema {
        Value::Object(inner) => inner.clone(),
        Value::Bool(true) => Map::new(),
        _ => Map::from_iter([("not".to_owned(), json!({}))]),
    };
    let mut outer = Map::new();
    outer.extend(inner.shift_remove("$schema").map(|dialect| ("$schema".to_owned(), dialect)));
    outer.insert("type".to_owned(), "object".into());
    outer.insert("properties".to_owned(), json!({}));
    outer.insert("required".to_owned(), json!(["result"]));
    // A schema with an `$id` is a resource of its own, in which references keep their meaning wherever it stands.
    if !is_resource(&inner) {
        for keyword in ["$defs", "definitions"] {
            outer.extend(inner.shift_remove(keyword).map(|definitions| (keyword.to_owned(), definitions)));
        }
    }
    let is_resource = is_resource(&inner);
    outer["properties"]["result"] = Value::Object(inner);
    let mut outer = Value::Object(outer);
    if !is_resource {
        point_to_result(&mut outer);
    }
    outer
}

fn is_resource(schema: &Map<String, Value>) -> bool {
    // In draft-07 an `$id` of a fragment alone is an anchor.
    schema.get("$id").and_then(Value::as_str).is_some_and(|id| !id.starts_with('#'))
}

/// Moves every reference to a place outside the definitions to where the place is now.
fn point_to_result(root: &mut Value) {
    let mut pending = vec![root];
    while let Some(schema) = pending.pop() {
        if let Some(object) = schema.as_object_mut() {
            if is_resource(object) {
                continue;
            }
            for keyword in ["$ref", "$dynamicRef"] {
                if let Some(Value::String(target)) = object.get_mut(keyword)
                    && let Some(moved) = moved(target)
                {
                    *target = moved;
                }
            }
        }
        pending.extend(walk::children_mut(schema).into_iter().map(|(_, child)| child));
    }
}

fn moved(target: &str) -> Option<String> {
    let pointer = target.strip_prefix('#')?;
    let is_place = pointer.is_empty() || pointer.starts_with('/');
    let is_definition = ["/$defs/", "/definitions/"].iter().any(|path| pointer.starts_with(path));
    (is_place && !is_definition).then(|| format!("#/properties/result{pointer}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_told_apart() {
        let object = json!({ "type": "object" });
        let defs = json!({
            "A": object, "B": { "oneOf": [{ "$ref": "#/$defs/A" }] }, "Loop": { "$ref": "#/$defs/Loop" },
            "Again": { "anyOf": [{ "$ref": "#/$defs/Again" }, object] }
        });
        for (schema, expected) in [
            (object.clone(), Shape::Object),
            (json!({ "type": "object", "oneOf": [{}] }), Shape::Object),
            (json!({ "oneOf": [object, { "$ref": "#/$defs/A" }] }), Shape::ImpliedObject),
            (json!({ "anyOf": [{ "$ref": "#/$defs/B" }, { "oneOf": [object] }] }), Shape::ImpliedObject),
            (json!({ "allOf": [{ "description": "d" }, object] }), Shape::ImpliedObject),
            (json!({ "$ref": "#/$defs/B" }), Shape::ImpliedObject),
            (json!({ "oneOf": [object, { "type": "string" }] }), Shape::NotObject),
            (json!({ "anyOf": [object, { "type": "null" }] }), Shape::NotObject),
            (json!({ "oneOf": [] }), Shape::NotObject),
            (json!({ "oneOf": [object, true] }), Shape::NotObject),
            (json!({ "type": ["object", "null"] }), Shape::NotObject),
            (json!({ "type": "array" }), Shape::NotObject),
            (json!({ "$ref": "#/$defs/Loop" }), Shape::NotObject),
            (json!({ "$ref": "#/$defs/Again" }), Shape::NotObject),
            (json!({ "properties": { "type": object } }), Shape::NotObject),
            (json!({}), Shape::NotObject),
            (json!(true), Shape::NotObject),
        ] {
            let mut schema = schema;
            if let Some(root) = schema.as_object_mut() {
                root.insert("$defs".to_owned(), defs.clone());
            }
            assert_eq!(shape(&schema), expected, "{schema}");
        }
    }

    #[test]
    fn a_union_says_that_it_is_an_object() {
        let union = json!({ "description": "d", "oneOf": [{ "type": "object" }] });
        let said = r#"{"description":"d","type":"object","oneOf":[{"type":"object"}]}"#;
        assert_eq!(latest(&union).to_string(), said);
        assert_eq!(legacy(&union).to_string(), said);
        let list = json!({ "type": "array" });
        assert_eq!(latest(&list), list);
    }

    #[test]
    fn a_value_is_wrapped_and_its_references_still_hold() {
        let natural = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "array",
            "items": { "anyOf": [
                { "$ref": "#" }, { "$ref": "#/$defs/A" }, { "$ref": "#/items/anyOf/3" },
                { "type": "string", "$anchor": "text" }, { "$ref": "#text" }
            ] },
            "default": { "$ref": "#" },
            "$defs": { "A": { "properties": { "$ref": { "$ref": "#/items" } } } }
        });
        assert_eq!(
            legacy(&natural),
            json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "type": "object",
                "properties": { "result": {
                    "type": "array",
                    "items": { "anyOf": [
                        { "$ref": "#/properties/result" },
                        { "$ref": "#/$defs/A" },
                        { "$ref": "#/properties/result/items/anyOf/3" },
                        { "type": "string", "$anchor": "text" },
                        { "$ref": "#text" }
                    ] },
                    "default": { "$ref": "#" }
                } },
                "required": ["result"],
                "$defs": { "A": { "properties": { "$ref": { "$ref": "#/properties/result/items" } } } }
            })
        );
    }

    #[test]
    fn a_resource_of_its_own_moves_as_a_whole() {
        let natural = json!({ "$id": "urn:x", "type": "string", "not": { "$ref": "#/$defs/A" }, "$defs": { "A": {} } });
        let listed = legacy(&natural);
        assert_eq!(listed["properties"]["result"], natural);
        assert!(listed.get("$defs").is_none());
    }

    #[test]
    fn a_boolean_is_wrapped_as_an_object() {
        assert_eq!(legacy(&json!(true))["properties"], json!({ "result": {} }));
        assert_eq!(legacy(&json!(false))["properties"], json!({ "result": { "not": {} } }));
    }
}
