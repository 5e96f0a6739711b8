//! Marks properties for which `null` is a value of its own (rule T8).

use serde_json::{Value, json};

use super::optional::{OWN_NULL, optional_properties, visit_properties};
use crate::schema::accepted::Types;
use crate::schema::walk::{self, keyword};

/// Marks the optional properties for which `null` is a value of its own: the default is a value other than `null`, or
/// the schema does not have the form that schemars gives an `Option`. The macro marks parameters, whose attributes it
/// knows.
///
/// ```text
/// before  {"properties": {"a": {"type": ["string", "null"], "default": "x"}, "b": {"enum": ["y", null]}}}
/// after   {"properties": {"a": {"type": ["string", "null"], "default": "x", "x-mcp-tool-null": true},
///          "b": {"enum": ["y", null], "x-mcp-tool-null": true}}}
/// ```
pub(super) fn own_null(schema: &mut Value) {
    let mut is_found = false;
    walk::visit(schema, &mut |object| is_found |= optional_properties(object).any(|property| is_own(property, schema)));
    if is_found {
        let root = schema.clone();
        visit_properties(schema, &mut |property, is_optional, _| {
            if is_optional && is_own(property, &root) {
                mark_own_null(property, true);
            }
        });
    }
}

/// Returns `true` if `null` is a value of its own for an optional property that the macro has not marked.
fn is_own(property: &Value, root: &Value) -> bool {
    let has_value = || keyword(property, "default").is_some_and(|default| !default.is_null());
    // The type alone, which is read faster, rules most properties out.
    Types::of_keyword(keyword(property, "type")).intersects(Types::NULL)
        && (has_value() || !is_option(property))
        && keyword(property, OWN_NULL).is_none()
        && Types::of(property, root).intersects(Types::NULL)
}

/// Marks a property for which the macro knows whether its type tells `null` from absence.
pub(crate) fn mark_own_null(property: &mut Value, tells_null: bool) {
    if let Some(property) = property.as_object_mut() {
        property.insert(OWN_NULL.to_owned(), tells_null.into());
    }
}

/// Returns `true` if schemars can have derived the schema from an `Option`: it appends `null` to the types and the values,
/// or makes a union of a composed schema and `null`.
fn is_option(schema: &Value) -> bool {
    let list = |name| keyword(schema, name).and_then(Value::as_array).map(Vec::as_slice);
    match (list("anyOf"), list("type"), list("enum")) {
        (Some([composed, null_schema]), None, None) => {
            let composing = ["$ref", "anyOf", "oneOf", "allOf", "if"];
            *null_schema == json!({ "type": "null" }) && composing.iter().any(|name| keyword(composed, name).is_some())
        }
        (None, Some([.., final_type]), choices) => {
            final_type == "null" && choices.is_none_or(|choices| choices.last().is_some_and(Value::is_null))
        }
        _ => false,
    }
}
