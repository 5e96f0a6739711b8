//! Objects and arrays.

use serde_json::{Value, json};

use crate::schema::accepted::is_never;
use crate::schema::walk::{self, has_type, keyword};

/// The keywords that make a schema describe an object by more than its own properties.
const COMPOSITION: [&str; 6] = ["anyOf", "oneOf", "allOf", "$ref", "patternProperties", "unevaluatedProperties"];

/// Writes `"additionalProperties": false` on each object whose properties are all listed.
///
/// A derived object without `additionalProperties` ignores further properties: they say nothing to the tool. An object without
/// any properties is left open, because it stands for any object.
pub(super) fn close(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        if !has_type(schema, "object") && keyword(schema, "properties").is_none() {
            return;
        }
        let closes = if let Some(rest) = keyword(schema, "additionalProperties") {
            is_never(rest)
        } else {
            let has_properties =
                keyword(schema, "properties").and_then(Value::as_object).is_some_and(|all| !all.is_empty());
            let is_closed_otherwise = keyword(schema, "unevaluatedProperties").is_some_and(is_never);
            let mut composed =
                COMPOSITION.iter().filter(|name| !is_closed_otherwise || **name != "unevaluatedProperties");
            (has_properties || is_closed_otherwise) && composed.all(|name| keyword(schema, name).is_none())
        };
        if closes && let Some(keywords) = schema.as_object_mut() {
            keywords.shift_remove("unevaluatedProperties");
            keywords.insert("additionalProperties".to_owned(), false.into());
        }
    });
}

/// Writes `items` on each array without it: anything is accepted.
pub(super) fn add_items(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        if has_type(schema, "array")
            && keyword(schema, "items").is_none()
            && let Some(keywords) = schema.as_object_mut()
        {
            keywords.insert("items".to_owned(), json!({}));
        }
    });
}

/// Writes a tuple whose elements have one schema as an array of that length.
pub(super) fn simplify_tuples(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        let Some([first, others @ ..]) = keyword(schema, "prefixItems").and_then(Value::as_array).map(Vec::as_slice)
        else {
            return;
        };
        let length = others.len() + 1;
        let ends_there = keyword(schema, "maxItems").and_then(Value::as_u64).is_some_and(|most| most <= length as u64);
        let continues_alike = keyword(schema, "items") == Some(first);
        if others.iter().all(|other| other == first) && (ends_there || continues_alike) {
            let first = first.clone();
            if let Some(keywords) = schema.as_object_mut() {
                keywords.shift_remove("prefixItems");
                keywords.insert("items".to_owned(), first);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_objects_with_listed_properties_are_closed() {
        let closed = |mut schema: Value| {
            close(&mut schema);
            schema.get("additionalProperties").cloned()
        };
        let properties = json!({ "a": { "type": "string" } });
        assert_eq!(closed(json!({ "type": "object", "properties": properties })), Some(json!(false)));
        assert_eq!(closed(json!({ "type": ["object", "null"], "properties": properties })), Some(json!(false)));
        let never = json!({ "not": {} });
        assert_eq!(closed(json!({ "type": "object", "additionalProperties": never })), Some(json!(false)));
        assert_eq!(
            closed(json!({ "type": "object", "properties": properties, "unevaluatedProperties": false })),
            Some(json!(false))
        );
        for open in [
            json!({ "type": "object" }),
            json!({ "type": "object", "properties": {} }),
            json!({ "type": "object", "properties": properties, "oneOf": [] }),
            json!({ "type": "string" }),
        ] {
            assert_eq!(closed(open.clone()), None, "{open}");
        }
        assert_eq!(closed(json!({ "type": "object", "additionalProperties": true })), Some(json!(true)));
    }

    #[test]
    fn a_tuple_of_one_type_becomes_an_array_of_its_length() {
        let number = json!({ "type": "number" });
        let mut tuple = json!({ "prefixItems": [number, number], "items": number, "minItems": 2, "maxItems": 2 });
        simplify_tuples(&mut tuple);
        assert_eq!(tuple, json!({ "items": number, "minItems": 2, "maxItems": 2 }));
        let mut mixed = json!({ "prefixItems": [number, { "type": "string" }], "minItems": 2, "maxItems": 2 });
        let before = mixed.clone();
        simplify_tuples(&mut mixed);
        assert_eq!(mixed, before);
    }
}
