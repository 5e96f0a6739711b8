//! Defaults of optional properties (rule T8).

use serde_json::Value;

use super::optional::{Definitions, each_optional, is_listed, is_null};
use crate::schema::reference;
use crate::schema::walk::keyword;

/// Takes from a published default what the schema no longer admits: a `null` for a property that may be left out, as
/// which serde writes `None`. A default that is `null` itself says nothing and goes.
///
/// ```
/// # mcp_tool_runtime::__step! { defaults:
/// before  {"properties": {"a": {"properties": {"b": {"type": "string"}}, "default": {"b": null}}, "c": {"default": null}}}
/// after   {"properties": {"a": {"properties": {"b": {"type": "string"}}, "default": {}}, "c": {}}}
/// # }
/// ```
pub(super) fn defaults(schema: &mut Value) {
    each_optional(schema, tidy);
}

fn tidy(property: &mut Value, definitions: &Definitions) {
    let Some(object) = property.as_object_mut() else {
        return;
    };
    let Some(mut default) = object.shift_remove("default") else {
        return;
    };
    if default.is_null() {
        return;
    }
    drop_nulls(&mut default, property, definitions);
    property["default"] = default;
}

fn drop_nulls(value: &mut Value, schema: &Value, definitions: &Definitions) {
    let schema = reference::definition(schema, Some(definitions)).unwrap_or(schema);
    match value {
        Value::Object(members) => {
            let required = keyword(schema, "required").and_then(Value::as_array);
            let property = |name: &str| schema.get("properties").and_then(|properties| properties.get(name));
            members.retain(|name, member| {
                !member.is_null() || is_listed(required, name) || property(name).is_none_or(is_null)
            });
            for (name, member) in members {
                if let Some(schema) = property(name) {
                    drop_nulls(member, schema, definitions);
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
    fn nulls_that_are_not_admitted_go() {
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
    fn a_default_of_null_goes_and_one_of_false_stays() {
        assert_eq!(after(&json!({ "type": "string", "default": null })), json!({ "type": "string" }));
        let flag = json!({ "type": "boolean", "default": false });
        assert_eq!(after(&flag), flag);
    }
}
