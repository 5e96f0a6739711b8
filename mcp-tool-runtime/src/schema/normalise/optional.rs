//! Removes `null` from optional properties (rule T8).

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::merge::merge_into;
use crate::schema::reference;
use crate::schema::walk::{self, keyword, keyword_mut};

pub(super) type Definitions = Map<String, Value>;

/// The keyword that marks whether the type of an optional property distinguishes `null` from absence.
/// [`optional`](super::optional) removes the keyword.
pub(super) const OWN_NULL: &str = "x-mcp-tool-null";

/// Removes `null` from the schema of every optional property, because a client can omit the property instead. A
/// property keeps its `null` if a mark of [`own_null`](super::own_null) or of the macro says that `null` means
/// something other than absence.
///
/// The dispatcher reads a `null` for an optional property as absent (rule I3), so clients may still send `null`.
///
/// ```text
/// before  {"properties": {"a": {"type": ["string", "null"]}}}
/// after   {"properties": {"a": {"type": "string"}}}
/// before  {"properties": {"a": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}},
///          "$defs": {"Node": {"type": "object"}}}
/// after   {"properties": {"a": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": {"type": "object"}}}
/// ```
pub(super) fn optional(schema: &mut Value) {
    visit_properties(schema, &mut |property, is_optional, definitions| {
        let own_null = property.as_object_mut().and_then(|keywords| keywords.shift_remove(OWN_NULL));
        if is_optional && own_null != Some(true.into()) {
            without_null(property, definitions);
        }
    });
}

/// Calls `visit` for every property at every depth. Also passes whether the property is optional, and the definitions
/// of the root.
pub(super) fn visit_properties(schema: &mut Value, visit: &mut dyn FnMut(&mut Value, bool, &Definitions)) {
    let definitions = keyword(schema, "$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    walk::visit_mut(schema, &mut |schema| {
        let (mut properties, mut required) = (None, None);
        for (keyword, value) in schema.as_object_mut().into_iter().flatten() {
            match keyword.as_str() {
                "properties" => properties = value.as_object_mut(),
                "required" => required = value.as_array(),
                _ => {}
            }
        }
        for (name, property) in properties.into_iter().flatten() {
            visit(property, !is_listed(required, name), &definitions);
        }
    });
}

/// Returns the optional properties of an object.
pub(super) fn optional_properties(schema: &Value) -> impl Iterator<Item = &Value> {
    let required = keyword(schema, "required").and_then(Value::as_array);
    let properties = keyword(schema, "properties").and_then(Value::as_object).into_iter().flatten();
    properties.filter(move |(name, _)| !is_listed(required, name)).map(|(_, property)| property)
}

/// Returns `true` if `required` contains `name`.
pub(super) fn is_listed(required: Option<&Vec<Value>>, name: &str) -> bool {
    required.is_some_and(|required| required.iter().any(|other| other == name))
}

/// Removes `null` from the values that a schema accepts. A schema that accepts only `null` is not changed.
pub(super) fn without_null(schema: &mut Value, definitions: &Definitions) {
    remove_null(schema, definitions, &mut HashSet::new());
}

fn remove_null(schema: &mut Value, definitions: &Definitions, followed: &mut HashSet<String>) {
    if is_null(schema) || inline_without_null(schema, definitions, followed) {
        return;
    }
    if let Some(types) = keyword_mut(schema, "type")
        && let Value::Array(names) = types
    {
        names.retain(|name| name != "null");
        if let [only] = names.as_mut_slice() {
            *types = only.take();
        }
    }
    if let Some(Value::Array(values)) = keyword_mut(schema, "enum") {
        values.retain(|value| !value.is_null());
    }
    for union in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = keyword_mut(schema, union) else { continue };
        let before = branches.len();
        branches.retain(|branch| !is_null(branch));
        for branch in branches.iter_mut() {
            remove_null(branch, definitions, followed);
        }
        if branches.len() == 1
            && before > 1
            && let Some(only) = branches.pop()
        {
            merge_into(schema, union, only);
        }
    }
}

/// Replaces a reference to a definition that accepts `null` with a copy of the definition without `null`. The
/// definition itself must not change, because other references may need the `null`.
///
/// Returns `false` if nothing was replaced. A reference to a definition that contains itself in an optional property is
/// not replaced, because the copying would never end.
fn inline_without_null(schema: &mut Value, definitions: &Definitions, followed: &mut HashSet<String>) -> bool {
    if let Some(name) = reference::definition_name(schema)
        && let Some(definition) = definitions.get(&name)
        && followed.insert(name.clone())
    {
        let mut copy = definition.clone();
        remove_null(&mut copy, definitions, followed);
        followed.remove(&name);
        if &copy != definition && !contains_itself_optionally(&name, definition, definitions) {
            merge_into(schema, "$ref", copy);
            return true;
        }
    }
    false
}

/// Returns `true` if following references from a definition leads back to it through an optional property.
fn contains_itself_optionally(name: &str, definition: &Value, definitions: &Definitions) -> bool {
    let mut visited = HashSet::new();
    let mut pending = vec![(definition, false)];
    while let Some((definition, through_property)) = pending.pop() {
        let mut follow = |schema, through_property| {
            for target in direct_targets(schema) {
                if let Some(next) = definitions.get(&target)
                    && visited.insert((target, through_property))
                {
                    pending.push((next, through_property));
                }
            }
        };
        follow(definition, through_property);
        walk::visit(definition, &mut |schema| {
            optional_properties(schema).for_each(|property| follow(property, true));
        });
    }
    visited.contains(&(name.to_owned(), true))
}

/// Returns the names of the definitions that a value of the schema can match directly: the target of the schema's
/// `$ref`, and the targets in the branches of its unions.
fn direct_targets(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![schema];
    while let Some(schema) = pending.pop() {
        found.extend(reference::definition_name(schema));
        let branches = ["anyOf", "oneOf"].into_iter().filter_map(|union| keyword(schema, union)?.as_array());
        pending.extend(branches.flatten());
    }
    found
}

/// Returns `true` if the schema accepts only `null`.
pub(super) fn is_null(schema: &Value) -> bool {
    let all_null = |values: &Value| {
        values.as_array().is_some_and(|values| !values.is_empty() && values.iter().all(Value::is_null))
    };
    let null_type = |types: &Value| {
        types == "null" || types.as_array().is_some_and(|names| names.iter().all(|name| name == "null"))
    };
    keyword(schema, "type").is_some_and(null_type)
        || keyword(schema, "const").is_some_and(Value::is_null)
        || keyword(schema, "enum").is_some_and(all_null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns what [`optional`] makes of the schema of an optional property.
    fn after(property: &Value) -> Value {
        let mut schema = json!({
            "properties": { "a": property },
            "$defs": {
                "Node": { "type": "object", "properties": { "next": { "anyOf": [{ "$ref": "#/$defs/Node" }, { "type": "null" }] } } },
                "Maybe": { "type": ["integer", "null"], "description": "a number" },
                "Loop": { "anyOf": [{ "$ref": "#/$defs/Loop" }, { "type": "null" }, { "type": "string" }] }
            }
        });
        optional(&mut schema);
        assert_eq!(schema["$defs"]["Maybe"]["type"], json!(["integer", "null"]));
        assert_eq!(schema["$defs"]["Node"]["properties"]["next"], json!({ "$ref": "#/$defs/Node" }));
        schema["properties"]["a"].take()
    }

    #[test]
    fn every_form_of_null_is_removed() {
        let node = json!({ "$ref": "#/$defs/Node" });
        for (before, expected) in [
            (json!({ "type": ["string", "null"] }), json!({ "type": "string" })),
            (json!({ "type": ["string", "integer", "null"] }), json!({ "type": ["string", "integer"] })),
            (json!({ "type": ["string", "null"], "enum": ["a", null] }), json!({ "type": "string", "enum": ["a"] })),
            (
                json!({ "description": "d", "anyOf": [node, { "type": "null" }] }),
                json!({ "description": "d", "$ref": "#/$defs/Node" }),
            ),
            (
                json!({ "anyOf": [{ "anyOf": [{ "type": "string" }, node] }, { "const": null }] }),
                json!({ "anyOf": [{ "type": "string" }, node] }),
            ),
            (json!({ "$ref": "#/$defs/Maybe" }), json!({ "type": "integer", "description": "a number" })),
            (json!({ "type": "null" }), json!({ "type": "null" })),
            (
                json!({ "type": "object", "properties": { "b": { "type": ["string", "null"] } } }),
                json!({ "type": "object", "properties": { "b": { "type": "string" } } }),
            ),
            (
                json!({ "type": "array", "items": { "type": ["string", "null"] } }),
                json!({ "type": "array", "items": { "type": ["string", "null"] } }),
            ),
            (json!(true), json!(true)),
        ] {
            assert_eq!(after(&before), expected, "{before}");
        }
    }

    #[test]
    fn a_definition_that_is_a_branch_of_itself_does_not_loop() {
        assert_eq!(
            after(&json!({ "$ref": "#/$defs/Loop" })),
            json!({ "anyOf": [{ "$ref": "#/$defs/Loop" }, { "type": "string" }] })
        );
    }

    #[test]
    fn a_required_property_stays_nullable() {
        let schema = json!({ "properties": { "a": { "type": ["string", "null"] } }, "required": ["a"] });
        let mut changed = schema.clone();
        optional(&mut changed);
        assert_eq!(changed, schema);
    }
}
