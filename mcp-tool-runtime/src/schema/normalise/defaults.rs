//! Removes `null` from the defaults of optional properties (rule T8).

use serde_json::Value;

use super::optional::{Definitions, is_listed, is_null, visit_properties};
use crate::schema::reference;
use crate::schema::walk::keyword;

/// In the defaults of optional properties, removes each `null` that the schema no longer accepts: serde writes `None`
/// as `null`, but an optional property is published without `null`. A default that is itself `null` is removed.
///
/// ```text
/// before  {"properties": {"a": {"properties": {"b": {"type": "string"}}, "default": {"b": null}}, "c": {"default": null}}}
/// after   {"properties": {"a": {"properties": {"b": {"type": "string"}}, "default": {}}, "c": {}}}
/// ```
pub(super) fn defaults(schema: &mut Value) {
    visit_properties(schema, &mut |property, is_optional, definitions| {
        let keywords = property.as_object_mut().filter(|_| is_optional);
        let default = keywords.and_then(|keywords| keywords.shift_remove("default"));
        if let Some(mut default) = default.filter(|default| !default.is_null()) {
            drop_nulls(&mut default, property, definitions);
            property["default"] = default;
        }
    });
}

fn drop_nulls(value: &mut Value, schema: &Value, definitions: &Definitions) {
    let schema = reference::definition_name(schema).and_then(|name| definitions.get(&name)).unwrap_or(schema);
    match value {
        Value::Object(object) => {
            let required = keyword(schema, "required").and_then(Value::as_array);
            let property = |name: &str| schema.get("properties").and_then(|properties| properties.get(name));
            object.retain(|name, value| {
                let is_kept = |schema| is_null(schema) || keyword(schema, "default").is_some_and(|own| !own.is_null());
                !value.is_null() || is_listed(required, name) || property(name).is_none_or(is_kept)
            });
            for (name, value) in object {
                if let Some(schema) = property(name) {
                    drop_nulls(value, schema, definitions);
                }
            }
        }
        Value::Array(elements) => {
            if let Some(schema) = schema.get("items") {
                for element in elements {
                    drop_nulls(element, schema, definitions);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn after(property: &Value) -> Value {
        let mut schema = json!({
            "properties": { "a": property },
            "$defs": { "Node": { "properties": { "next": { "$ref": "#/$defs/Node" } } } }
        });
        defaults(&mut schema);
        schema["properties"]["a"].take()
    }

    #[test]
    fn nulls_of_optional_properties_are_removed() {
        let property = after(&json!({
            "properties": {
                "left_out": { "type": "string" },
                "required": { "type": ["string", "null"] },
                "only_null": { "type": "null" },
                "list": { "items": { "$ref": "#/$defs/Node" } }
            },
            "required": ["required"],
            "default": {
                "left_out": null, "required": null, "only_null": null, "other": null,
                "list": [{ "next": { "next": null } }]
            }
        }));
        assert_eq!(
            property["default"],
            json!({ "required": null, "only_null": null, "other": null, "list": [{ "next": {} }] })
        );
    }

    #[test]
    fn a_null_default_is_removed_and_a_false_default_stays() {
        assert_eq!(after(&json!({ "type": "string", "default": null })), json!({ "type": "string" }));
        let flag = json!({ "type": "boolean", "default": false });
        assert_eq!(after(&flag), flag);
    }
}
