//! Proves that no value is valid against two schemas.

use serde_json::Value;

use super::objects::is_never;
use crate::schema::reference::follow;
use crate::schema::walk::{keyword, keyword_or_null};

/// How deep the proof looks for the properties that tell two objects apart.
const MAX_DEPTH: usize = 4;

/// Returns `true` if no two of the schemas accept the same value. `false` means that there is no simple proof.
pub(super) fn all_disjoint(schemas: &[Value], root: &Value) -> bool {
    schemas
        .iter()
        .enumerate()
        .all(|(index, one)| schemas[..index].iter().all(|other| are_disjoint(one, other, root, 0)))
}

fn are_disjoint(one: &Value, other: &Value, root: &Value, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let (one, other) = (follow(one, root), follow(other, root));
    if is_never(one) || is_never(other) {
        return true;
    }
    if let (Some(one), Some(other)) = (types(one), types(other))
        && !one.iter().any(|one| other.iter().any(|other| overlap(one, other)))
    {
        return true;
    }
    if let (Some(one), Some(other)) = (values(one), values(other))
        && !one.iter().any(|one| other.iter().any(|other| same(one, other)))
    {
        return true;
    }
    let accept_objects_only = |schema| types(schema).is_some_and(|types| types == ["object"]);
    if !(accept_objects_only(one) && accept_objects_only(other)) {
        return false;
    }
    let lacks = |closed: &Value, name: &str| {
        let properties = keyword_or_null(closed, "properties");
        keyword(closed, "additionalProperties").is_some_and(is_never)
            && keyword(closed, "patternProperties").is_none()
            && properties.get(name).is_none()
    };
    if required(one).any(|name| lacks(other, name)) || required(other).any(|name| lacks(one, name)) {
        return true;
    }
    required(one).filter(|name| required(other).any(|required| required == *name)).any(|name| {
        let property = |schema: &'_ Value| keyword_or_null(schema, "properties").get(name).cloned();
        matches!((property(one), property(other)), (Some(one), Some(other)) if are_disjoint(&one, &other, root, depth + 1))
    })
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    keyword_or_null(schema, "required").as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the names of the accepted types, or `None` if the schema names none.
fn types(schema: &Value) -> Option<Vec<&str>> {
    match keyword(schema, "type")? {
        Value::String(name) => Some(vec![name]),
        Value::Array(names) => Some(names.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

fn overlap(one: &str, other: &str) -> bool {
    one == other || matches!((one, other), ("integer", "number") | ("number", "integer"))
}

/// Returns the accepted values, or `None` if the schema lists none.
fn values(schema: &Value) -> Option<Vec<&Value>> {
    match (keyword(schema, "const"), keyword(schema, "enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Value::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}

/// JSON Schema compares numbers by value: 1 equals 1.0.
fn same(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        #[expect(clippy::float_cmp, reason = "equal numbers are equal")]
        (Some(one), Some(other)) => one == other,
        // Equal arrays and objects can have numbers in two notations.
        _ => one == other || one.is_array() || one.is_object(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_branches_of_enums_are_disjoint() {
        let tagged =
            |tag: &str| json!({ "type": "object", "properties": { "kind": { "const": tag } }, "required": ["kind"] });
        let external = |name: &str| json!({ "type": "object", "properties": { name: {} }, "required": [name], "additionalProperties": false });
        let root = json!({ "$defs": { "A": tagged("a") } });
        assert!(all_disjoint(&[json!({ "$ref": "#/$defs/A" }), tagged("b"), json!({ "type": "string" })], &root));
        assert!(all_disjoint(&[external("a"), external("b"), json!({ "enum": ["c"] , "type": "string" })], &root));
        assert!(all_disjoint(&[json!({ "const": 1 }), json!({ "const": "1" })], &root));
    }

    #[test]
    fn what_may_overlap_is_not_disjoint() {
        for (one, other) in [
            (json!({ "type": "integer" }), json!({ "type": "number" })),
            (json!({ "const": 1 }), json!({ "const": 1.0 })),
            (json!({ "type": "string" }), json!({ "type": "string", "minLength": 3 })),
            (json!({}), json!({ "type": "string" })),
            (
                json!({ "type": "object", "properties": { "a": {} }, "required": ["a"] }),
                json!({ "type": "object", "properties": { "b": {} }, "required": ["b"] }),
            ),
        ] {
            assert!(!all_disjoint(&[one.clone(), other.clone()], &json!({})), "{one} {other}");
        }
    }
}
