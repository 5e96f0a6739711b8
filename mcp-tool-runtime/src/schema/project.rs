//! Adapts an output schema to a protocol version (section 3 of the wire rules), and replaces references with their
//! targets.
//!
//! Since protocol version 2026-07-28, an output schema may describe any value. Older versions accept objects only. For
//! them, any other value becomes the property `result` of an object, in the schema and in the result. For readers that
//! do not support references, each reference is replaced with the schema that it leads to.

use serde_json::{Map, Value, json};

use super::accepted::Types;
use super::normalise::merge::{keywords_of, merge_into};
use super::{reference, walk};

/// Whether all values that a schema accepts are objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The root has `"type": "object"`.
    Object,
    /// Every value is an object, but the root does not say so, as in a union of objects.
    ImpliedObject,
    /// Some values may be something other than objects. For protocol versions before 2026-07-28, each value is wrapped
    /// in an object.
    NotObject,
}

/// Returns the [`Shape`] of a schema, following local references.
///
/// This is recursive, so the schema must be within the bounds of rule T16.
pub(crate) fn shape(schema: &Value) -> Shape {
    match schema.get("type") {
        Some(kind) if kind == "object" => Shape::Object,
        None if Types::of(schema, schema) == Types::OBJECT => Shape::ImpliedObject,
        _ => Shape::NotObject,
    }
}

/// Returns the schema to publish for protocol version 2026-07-28. It differs from the original only if every value is
/// an object, but the root does not say so: then the root gets `"type": "object"`.
pub(crate) fn latest(schema: &Value) -> Value {
    match (shape(schema), schema) {
        (Shape::ImpliedObject, Value::Object(keywords)) => {
            // `type` usually comes before a union or a reference, so insert it before the first one.
            let is_union = |keyword: &str| matches!(keyword, "oneOf" | "anyOf" | "allOf" | "$ref");
            let index = keywords.keys().position(|keyword| is_union(keyword)).unwrap_or_default();
            let mut typed = keywords.clone();
            typed.shift_insert(index, "type".to_owned(), "object".into());
            Value::Object(typed)
        }
        _ => schema.clone(),
    }
}

/// Returns the schema to publish for protocol versions 2025-06-18 and 2025-11-25. It always describes an object. If
/// values can be anything else, the object has the value as its property `result`.
pub(crate) fn legacy(schema: &Value) -> Value {
    if shape(schema) != Shape::NotObject {
        return latest(schema);
    }
    let mut inner = keywords_of(schema.clone());
    let mut outer = Map::new();
    outer.extend(inner.shift_remove_entry("$schema"));
    outer.insert("type".to_owned(), "object".into());
    outer.insert("properties".to_owned(), json!({}));
    outer.insert("required".to_owned(), json!(["result"]));
    // References in a schema with an `$id` are resolved against that schema, so they stay valid when the schema moves
    // into `result`. Without an `$id`, keep the definitions at the root, and adjust the references.
    let is_resource = is_resource(&inner);
    if !is_resource {
        outer.extend(["$defs", "definitions"].into_iter().filter_map(|keyword| inner.shift_remove_entry(keyword)));
    }
    outer["properties"]["result"] = Value::Object(inner);
    let mut outer = Value::Object(outer);
    if !is_resource {
        redirect_references(&mut outer);
    }
    outer
}

fn is_resource(schema: &Map<String, Value>) -> bool {
    // In draft-07, an `$id` that is only a fragment is an anchor, not the URI of a resource.
    schema.get("$id").and_then(Value::as_str).is_some_and(|id| !id.starts_with('#'))
}

/// Adjusts every reference to a location that has moved into `result`.
fn redirect_references(root: &mut Value) {
    let mut pending = vec![root];
    while let Some(schema) = pending.pop() {
        if let Some(object) = schema.as_object_mut() {
            if is_resource(object) {
                continue;
            }
            for keyword in ["$ref", "$dynamicRef"] {
                if let Some(Value::String(target)) = object.get_mut(keyword)
                    && let Some(redirected) = redirected(target)
                {
                    *target = redirected;
                }
            }
        }
        walk::visit_children_mut(schema, |_, child| pending.push(child));
    }
}

fn redirected(target: &str) -> Option<String> {
    let pointer = target.strip_prefix('#')?;
    let is_pointer = pointer.is_empty() || pointer.starts_with('/');
    let is_definition = ["/$defs/", "/definitions/"].iter().any(|path| pointer.starts_with(path));
    (is_pointer && !is_definition).then(|| format!("#/properties/result{pointer}"))
}

/// The maximum number of references that are replaced inside each other. In a deeper schema, recursive code could
/// overflow the stack.
const MOST_NESTED: usize = 32;

/// Which references to replace, and with what.
pub(crate) struct Expansion {
    /// The maximum number of references to replace. Without it, a schema whose size doubles with each definition would
    /// fill the memory.
    pub(crate) most: usize,
    /// Whether to replace only references that have a description, and no other keyword, next to them.
    pub(crate) only_described: bool,
    /// Gets the target of a reference that is recursive or would exceed a limit, and returns what replaces the
    /// reference. Without this function, such a reference stays.
    pub(crate) summary: Option<fn(&Value) -> Value>,
}

impl Expansion {
    /// Replaces the references in a schema. The definitions stay. References inside the definitions are replaced only
    /// if `only_described` is `true`.
    pub(crate) fn apply(self, schema: &mut Value) {
        let root = schema.clone();
        Expander { rules: self, root: &root, open: Vec::new() }.visit(schema);
    }
}

struct Expander<'s> {
    rules: Expansion,
    root: &'s Value,
    /// The references that led to the schema being visited.
    open: Vec<String>,
}

impl Expander<'_> {
    /// Replaces the references in a schema and in its subschemas. This can be recursive, because the depth of a schema
    /// and the nesting of references are limited.
    fn visit(&mut self, schema: &mut Value) {
        let replacement = self.target_of(schema);
        walk::visit_children_mut(schema, |location, child| {
            if self.rules.only_described || !matches!(location.keyword, "$defs" | "definitions") {
                self.visit(child);
            }
        });
        if let Some(target) = replacement {
            merge_into(schema, "$ref", target);
        }
    }

    /// Returns what replaces the reference of a schema, or `None` if the reference stays.
    fn target_of(&mut self, schema: &Value) -> Option<Value> {
        let reference = walk::keyword(schema, "$ref")?.as_str()?;
        let is_described = schema.as_object().is_some_and(|all| all.len() == 2 && all.contains_key("description"));
        let target = reference::resolve(self.root, reference).filter(|_| is_described || !self.rules.only_described)?;
        let is_open = self.open.iter().any(|open| open == reference);
        if is_open || self.rules.most == 0 || self.open.len() >= MOST_NESTED {
            return self.rules.summary.map(|summary| summary(target));
        }
        self.rules.most -= 1;
        self.open.push(reference.to_owned());
        let mut target = target.clone();
        self.visit(&mut target);
        self.open.pop();
        Some(target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_follows_unions_and_references() {
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
    fn a_union_of_objects_gets_type_object() {
        let union = json!({ "description": "d", "oneOf": [{ "type": "object" }] });
        let expected = r#"{"description":"d","type":"object","oneOf":[{"type":"object"}]}"#;
        assert_eq!(latest(&union).to_string(), expected);
        assert_eq!(legacy(&union).to_string(), expected);
        let list = json!({ "type": "array" });
        assert_eq!(latest(&list), list);
    }

    #[test]
    fn references_still_resolve_in_a_wrapped_schema() {
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
    fn a_schema_with_an_id_keeps_its_definitions_and_references() {
        let natural = json!({ "$id": "urn:x", "type": "string", "not": { "$ref": "#/$defs/A" }, "$defs": { "A": {} } });
        let listed = legacy(&natural);
        assert_eq!(listed["properties"]["result"], natural);
        assert!(listed.get("$defs").is_none());
    }

    #[test]
    fn a_boolean_schema_is_wrapped_as_an_object_schema() {
        assert_eq!(legacy(&json!(true))["properties"], json!({ "result": {} }));
        assert_eq!(legacy(&json!(false))["properties"], json!({ "result": { "not": {} } }));
    }
}
