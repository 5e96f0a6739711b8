//! Optional properties as nullable ones, for a vendor that requires every property.
//!
//! The dispatcher reads `null` for an optional property as absent, so nothing is lost.

use serde_json::{Value, json};

use crate::schema::accepted::Types;
use crate::schema::walk;

/// Makes each optional property required, and lets it be `null`.
///
/// A property stays optional if `null` is a value that does not mean absent, or if `null` cannot be added to its schema.
pub(super) fn nullable(schema: &mut Value) {
    let root = schema.clone();
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let mut required: Vec<Value> = keywords.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let Some(Value::Object(properties)) = keywords.get_mut("properties") else { return };
        let mut order: Vec<Value> = Vec::with_capacity(properties.len());
        for (name, property) in properties.iter_mut() {
            let is_required = required.iter().any(|required| required == name);
            if is_required || (!Types::of(property, &root).intersects(Types::NULL) && add_null(property)) {
                order.push(name.as_str().into());
            }
        }
        // A required name without a property is kept, so that the limits report it.
        required.retain(|name| !order.contains(name));
        order.extend(required);
        keywords.insert("required".to_owned(), order.into());
    });
}

/// Lets a schema accept `null` too. Returns `false` for a form of schema that this does not change, or not completely.
fn add_null(schema: &mut Value) -> bool {
    let Some(keywords) = schema.as_object_mut() else { return false };
    if let Some(target) = keywords.shift_remove("$ref") {
        keywords.insert("anyOf".to_owned(), json!([{ "$ref": target }, { "type": "null" }]));
        return true;
    }
    if let Some(Value::Array(branches)) = keywords.get_mut("anyOf") {
        branches.push(json!({ "type": "null" }));
        return !keywords.contains_key("type");
    }
    if let Some(value) = keywords.shift_remove("const") {
        let kind = keywords.shift_remove("type").unwrap_or_else(|| Types::of_value(&value).name().into());
        keywords.insert("anyOf".to_owned(), json!([{ "type": kind, "const": value }, { "type": "null" }]));
        return true;
    }
    if let Some(Value::Array(values)) = keywords.get_mut("enum") {
        values.push(Value::Null);
    }
    match keywords.get_mut("type") {
        Some(Value::Array(names)) => names.push("null".into()),
        Some(name @ Value::String(_)) => *name = json!([name.take(), "null"]),
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_property_becomes_nullable_and_required() {
        let defs = json!({ "A": { "type": "object" } });
        for (before, expected) in [
            (json!({ "type": "string" }), json!({ "type": ["string", "null"] })),
            (json!({ "type": "string", "enum": ["a"] }), json!({ "type": ["string", "null"], "enum": ["a", null] })),
            (json!({ "$ref": "#/$defs/A" }), json!({ "anyOf": [{ "$ref": "#/$defs/A" }, { "type": "null" }] })),
            (
                json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] }),
                json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }, { "type": "null" }] }),
            ),
            (
                json!({ "type": "string", "const": "a" }),
                json!({ "anyOf": [{ "type": "string", "const": "a" }, { "type": "null" }] }),
            ),
        ] {
            let mut schema = json!({ "properties": { "o": before, "r": {} }, "required": ["r"], "$defs": defs });
            nullable(&mut schema);
            assert_eq!(schema["properties"]["o"], expected);
            assert_eq!(schema["required"], json!(["o", "r"]));
        }
    }

    #[test]
    fn a_property_for_which_null_is_a_value_stays_optional() {
        let property = json!({ "type": ["string", "null"] });
        let mut schema = json!({ "properties": { "o": property } });
        nullable(&mut schema);
        assert_eq!(schema, json!({ "properties": { "o": property }, "required": [] }));
    }
}
