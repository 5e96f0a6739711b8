//! Objects and arrays.

use serde_json::{Value, json};

use crate::schema::accepted::is_never;
use crate::schema::walk::{self, has_type, keyword};

/// The keywords that make a schema describe an object by more than its own properties.
const COMPOSITION: [&str; 5] = ["anyOf", "oneOf", "allOf", "$ref", "patternProperties"];

/// Writes `"additionalProperties": false` on each object whose properties are all listed.
///
/// A derived object without `additionalProperties` ignores further properties: they say nothing to the tool. One without any
/// properties is left open, because it stands for any object. So is an object in a hand-written schema: the handler receives it whole.
pub(super) fn close(schema: &mut Value, is_hand_written: bool) {
    walk::visit_mut(schema, &mut |schema| {
        if !has_type(schema, "object") && keyword(schema, "properties").is_none() {
            return;
        }
        let closes = if let Some(rest) = keyword(schema, "additionalProperties") {
            is_never(rest)
        } else {
            let has_properties = !is_hand_written
                && keyword(schema, "properties").and_then(Value::as_object).is_some_and(|all| !all.is_empty());
            let is_composed = COMPOSITION.iter().any(|name| keyword(schema, name).is_some());
            !is_composed && keyword(schema, "unevaluatedProperties").map_or(has_properties, is_never)
        };
        if closes && let Some(keywords) = schema.as_object_mut() {
            keywords.shift_remove("unevaluatedProperties");
            keywords.insert("additionalProperties".to_owned(), false.into());
        }
    });
}

/// Replaces `true` by `{}`, and removes properties that are `false` from closed objects. Both say the same.
pub(super) fn replace_booleans(schema: &mut Value) {
    const CLOSING: [&str; 5] =
        ["additionalProperties", "unevaluatedProperties", "items", "additionalItems", "unevaluatedItems"];
    walk::visit_mut(schema, &mut |schema| {
        let is_closed = keyword(schema, "additionalProperties").is_some_and(is_never);
        if is_closed && let Some(Value::Object(properties)) = walk::keyword_mut(schema, "properties") {
            properties.retain(|_, property| *property != Value::Bool(false));
        }
        walk::visit_children_mut(schema, |location, child| {
            if let (Value::Bool(accepts), false) = (&*child, CLOSING.contains(&location.keyword)) {
                *child = if *accepts { json!({}) } else { json!({ "not": {} }) };
            }
        });
    });
}

/// Lists each required name as a property, with the schema that it has anyway. A closed object accepts no other names.
pub(super) fn add_required(schema: &mut Value) {
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let names: Vec<_> = keywords.get("required").and_then(Value::as_array).into_iter().flatten().cloned().collect();
        let rest = match keywords.get("additionalProperties") {
            Some(rest) if is_never(rest) => return,
            Some(rest @ Value::Object(_)) => rest.clone(),
            _ => json!({}),
        };
        if names.is_empty() || keywords.get("unevaluatedProperties").is_some_and(is_never) {
            return;
        }
        let properties = keywords.entry("properties").or_insert_with(|| json!({}));
        let Some(properties) = properties.as_object_mut() else { return };
        for name in names.iter().filter_map(Value::as_str) {
            if !properties.contains_key(name) {
                properties.insert(name.to_owned(), rest.clone());
            }
        }
    });
}

/// Writes `properties` on an object without it: on the root, or on each.
pub(super) fn add_properties(schema: &mut Value, on_each: bool) {
    let mut is_root = true;
    walk::visit_mut(schema, &mut |schema| {
        if (is_root || on_each) && has_type(schema, "object") && keyword(schema, "properties").is_none() {
            schema["properties"] = json!({});
        }
        is_root = false;
    });
}

/// Writes `items` on each array without it: anything is accepted.
pub(super) fn add_items(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        if has_type(schema, "array") && keyword(schema, "items").is_none() {
            schema["items"] = json!({});
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
            close(&mut schema, false);
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
