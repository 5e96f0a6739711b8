//! Replaces boolean schemas (rule T4).

use serde_json::{Value, json};

use crate::schema::walk::{self, Location};

/// Rewrites boolean schemas as objects, and adds a description to a schema that accepts any value. Some clients drop
/// the whole list of tools if the schema of a property or of `items` is a boolean.
///
/// The `additionalProperties` and `unevaluatedProperties` that close an object stay `false`, because clients read this
/// form.
///
/// ```text
/// before  {"properties": {"any": true, "closed": {"type": "object", "additionalProperties": false}}}
/// after   {"properties": {"any": {"description": "any JSON value"},
///                         "closed": {"type": "object", "additionalProperties": false}}}
/// ```
pub(super) fn booleans(schema: &mut Value) {
    match schema {
        Value::Bool(true) => *schema = json!({}),
        Value::Bool(false) => *schema = json!({ "not": {} }),
        _ => walk::visit_children_mut(schema, |location, child| match child {
            Value::Bool(true) if describes_a_value(location) => {
                *child = json!({ "description": "any JSON value" });
            }
            // A schema without keywords, or with only a default, accepts any value too.
            Value::Object(keywords)
                if describes_a_value(location) && keywords.keys().all(|keyword| keyword == "default") =>
            {
                keywords.insert("description".to_owned(), "any JSON value".into());
            }
            Value::Bool(false) if matches!(location.keyword, "additionalProperties" | "unevaluatedProperties") => {}
            _ => booleans(child),
        }),
    }
}

/// Returns `true` if the subschema describes a value that a caller writes, rather than a condition.
fn describes_a_value(location: Location<'_>) -> bool {
    matches!(
        location.keyword,
        "properties" | "patternProperties" | "additionalProperties" | "items" | "prefixItems" | "$defs"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_booleans_that_close_an_object_stay() {
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
                    "nested": { "items": any, "additionalProperties": false, "unevaluatedProperties": false },
                    "union": { "oneOf": [{ "additionalProperties": false }, {}] },
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
