//! Replaces `unevaluatedProperties` with `additionalProperties` where they mean the same (rule T1).

use serde_json::{Map, Value};

use crate::schema::walk;

/// Keywords that apply further schemas to the same object. `additionalProperties` does not see the properties in those
/// schemas.
pub(super) const COMPOSITION: [&str; 6] = ["oneOf", "anyOf", "allOf", "$ref", "if", "dependentSchemas"];

pub(super) fn is_composed(schema: &Map<String, Value>) -> bool {
    COMPOSITION.iter().any(|keyword| schema.contains_key(*keyword))
}

/// Replaces `unevaluatedProperties` with `additionalProperties` in schemas without a keyword of [`COMPOSITION`], where
/// both mean the same.
///
/// ```text
/// before  {"type": "object", "properties": {"a": {}}, "unevaluatedProperties": false}
/// after   {"type": "object", "properties": {"a": {}}, "additionalProperties": false}
/// ```
pub(super) fn unevaluated(schema: &mut Value) {
    walk::visit_keywords_mut(schema, &mut |schema| {
        if schema.contains_key("unevaluatedProperties")
            && !is_composed(schema)
            && !schema.contains_key("additionalProperties")
            && let Some(others) = schema.shift_remove("unevaluatedProperties")
        {
            schema.insert("additionalProperties".to_owned(), others);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unevaluated_properties_stays_only_next_to_composition() {
        let mut schema = json!({
            "properties": { "a": { "type": "object", "unevaluatedProperties": false } },
            "oneOf": [{}], "unevaluatedProperties": false
        });
        unevaluated(&mut schema);
        assert_eq!(
            schema,
            json!({
                "properties": { "a": { "type": "object", "additionalProperties": false } },
                "oneOf": [{}], "unevaluatedProperties": false
            })
        );
    }
}
