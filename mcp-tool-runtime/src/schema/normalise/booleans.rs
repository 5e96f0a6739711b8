//! Boolean schemas (rule T4).

use serde_json::{Value, json};

use crate::schema::walk::{self, Location};

/// Writes every boolean subschema as an object, since one under a property makes clients drop the whole list.
///
/// Two stay, where a client expects them: `unevaluatedProperties`, which has no other reading, and the
/// `additionalProperties` that closes the root or a branch of the root's union (rule T1).
///
/// ```
/// # mcp_tool_runtime::__step! { booleans:
/// before  {"properties": {"any": true, "closed": {"type": "object", "additionalProperties": false}}}
/// after   {"properties": {"any": {"description": "any JSON value"},
///                         "closed": {"type": "object", "additionalProperties": {"not": {}}}}}
/// # }
/// ```
pub(super) fn booleans(schema: &mut Value) {
    match schema {
        Value::Bool(true) => *schema = json!({}),
        Value::Bool(false) => *schema = json!({ "not": {} }),
        _ => rewrite(schema, true),
    }
}

fn rewrite(schema: &mut Value, closes_the_root: bool) {
    walk::visit_children_mut(schema, |place, child| {
        match child {
            Value::Bool(true) if describes_a_value(place) => {
                *child = json!({ "description": "any JSON value" });
            }
            // With a default of its own, say, it is no boolean any more.
            Value::Object(says) if describes_a_value(place) && says.keys().all(|keyword| keyword == "default") => {
                says.insert("description".to_owned(), "any JSON value".into());
            }
            Value::Bool(true) => *child = json!({}),
            Value::Bool(false) if stays(place, closes_the_root) => {}
            Value::Bool(false) => *child = json!({ "not": {} }),
            _ => {
                let is_branch = matches!(place.keyword, "oneOf" | "anyOf" | "allOf");
                rewrite(child, closes_the_root && is_branch);
            }
        }
    });
}

fn stays(place: Location<'_>, closes_the_root: bool) -> bool {
    place.keyword == "unevaluatedProperties" || (closes_the_root && place.keyword == "additionalProperties")
}

/// Whether the subschema stands for a value that a reader has to fill in, rather than for a condition.
fn describes_a_value(place: Location<'_>) -> bool {
    matches!(
        place.keyword,
        "properties" | "patternProperties" | "additionalProperties" | "items" | "prefixItems" | "$defs"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_closes_the_root_stays_boolean() {
        let mut schema = json!({
            "properties": {
                "any": true,
                "never": false,
                "nested": { "items": true, "additionalProperties": false, "unevaluatedProperties": false },
                "union": { "oneOf": [{ "additionalProperties": false }, true] },
                "flag": { "default": true, "const": true, "uniqueItems": true }
            },
            "oneOf": [{ "additionalProperties": false }],
            "additionalProperties": false
        });
        booleans(&mut schema);
        let any = json!({ "description": "any JSON value" });
        assert_eq!(
            schema,
            json!({
                "properties": {
                    "any": any,
                    "never": { "not": {} },
                    "nested": { "items": any, "additionalProperties": { "not": {} }, "unevaluatedProperties": false },
                    "union": { "oneOf": [{ "additionalProperties": { "not": {} } }, {}] },
                    "flag": { "default": true, "const": true, "uniqueItems": true }
                },
                "oneOf": [{ "additionalProperties": false }],
                "additionalProperties": false
            })
        );
    }

    #[test]
    fn a_boolean_root_becomes_an_object() {
        for (before, after) in [(json!(true), json!({})), (json!(false), json!({ "not": {} }))] {
            let mut schema = before;
            booleans(&mut schema);
            assert_eq!(schema, after);
        }
    }
}
