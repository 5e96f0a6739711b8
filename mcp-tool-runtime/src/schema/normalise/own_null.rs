//! Marks properties for which `null` means something other than absence, and properties whose type reads `null` (rule
//! T8).

use std::collections::HashMap;

use mcp_tool_schema::NULLABLE;
use serde_json::{Value, json};

use super::optional::{OWN_NULL, optional_properties, visit_properties};
use crate::schema::accepted::Types;
use crate::schema::walk::{self, keyword};

/// Marks the optional properties for which `null` means something other than absence. These properties accept `null`,
/// and have a default other than `null` or a schema in a form that schemars does not give an `Option`. Generated code
/// marks parameters instead, because the macro knows their attributes.
///
/// Any other optional property that accepts `null` is marked as [`NULLABLE`]: its `null` is not published, but a `null`
/// that a client sends still reaches the type. The mark is `false` if the default is `null`, because the type might
/// then not read `null` as absence. For example, an `Option<Option<T>>` that a custom function reads has the schema of
/// an `Option<T>`. It is optional only with `#[serde(default)]`, which publishes the default `null`.
///
/// ```text
/// before  {"properties": {"a": {"type": ["string", "null"], "default": "x"}, "b": {"enum": ["y", null]},
///          "c": {"type": ["string", "null"]}, "d": {"type": ["string", "null"], "default": null}}}
/// after   {"properties": {"a": {"type": ["string", "null"], "default": "x", "x-mcp-tool-null": true},
///          "b": {"enum": ["y", null], "x-mcp-tool-null": true},
///          "c": {"type": ["string", "null"], "x-mcp-tool-nullable": true},
///          "d": {"type": ["string", "null"], "default": null, "x-mcp-tool-nullable": false}}}
/// ```
///
/// Returns `true` if there may be marks to remove.
pub(super) fn own_null(schema: &mut Value) -> bool {
    let mut found = HashMap::new();
    walk::visit(schema, &mut |object| {
        for property in optional_properties(object).filter(|property| has_null(property, schema)) {
            let default = keyword(property, "default");
            let is_option = is_option(property) && default.is_none_or(Value::is_null);
            found.insert(std::ptr::from_ref(property), is_option.then_some(default.is_none()));
        }
    });
    if !found.is_empty() {
        // Adding a mark may move the keywords of a property in memory, but not the property itself, so the addresses
        // stay valid.
        visit_properties(schema, &mut |property, _, _| match found.get(&std::ptr::from_ref(property)) {
            Some(Some(is_absence)) => property[NULLABLE] = (*is_absence).into(),
            Some(None) => mark_own_null(property, true),
            None => {}
        });
    }
    !found.is_empty()
}

/// Returns `true` if the macro has not marked a property, and its schema allows `null`.
fn has_null(property: &Value, root: &Value) -> bool {
    // The keyword `type` alone rules out most properties, and is fast to read, so check it first.
    Types::of_keyword(keyword(property, "type")).intersects(Types::NULL)
        && keyword(property, OWN_NULL).is_none()
        && Types::of(property, root).intersects(Types::NULL)
}

/// Marks whether the type of a property distinguishes `null` from absence.
pub(crate) fn mark_own_null(property: &mut Value, tells_null: bool) {
    if let Some(property) = property.as_object_mut() {
        property.insert(OWN_NULL.to_owned(), tells_null.into());
    }
}

/// The JSON Pointer to a property whose type reads `null` although its schema does not accept it, and `true` if that
/// `null` certainly means absence.
pub(crate) type NullablePlace = (String, bool);

/// Removes the [`NULLABLE`] marks of all properties, and returns their places and values.
pub(crate) fn take_nullable(schema: &mut Value) -> Vec<NullablePlace> {
    fn take(schema: &mut Value, pointer: &mut String, found: &mut Vec<NullablePlace>) {
        if let Some(mark) = schema.as_object_mut().and_then(|keywords| keywords.shift_remove(NULLABLE)) {
            found.push((pointer.clone(), mark == true));
        }
        walk::visit_children_mut(schema, |location, child| {
            let length = pointer.len();
            *pointer += "/";
            *pointer += &location.pointer();
            take(child, pointer, found);
            pointer.truncate(length);
        });
    }
    let mut found = Vec::new();
    take(schema, &mut String::new(), &mut found);
    found
}

/// Marks properties as nullable or, if `is_nullable` is `false`, removes their marks.
pub(crate) fn set_nullable(schema: &mut Value, nullable: &[NullablePlace], is_nullable: bool) {
    for (pointer, is_absence) in nullable {
        match schema.pointer_mut(pointer).and_then(Value::as_object_mut) {
            Some(property) if is_nullable => _ = property.insert(NULLABLE.to_owned(), (*is_absence).into()),
            Some(property) => _ = property.shift_remove(NULLABLE),
            None => {}
        }
    }
}

/// Returns `true` if schemars could have derived the schema from an `Option`: schemars appends `null` to the types and
/// the values, or makes a union of a composed schema and `null`.
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
