//! Optional properties (rule T8).

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::merge::merge;
use crate::schema::reference;
use crate::schema::walk::{self, keyword, keyword_mut};

pub(super) type Definitions = Map<String, Value>;

/// Takes `null` from every property that may be left out: leaving it out says the same.
///
/// The dispatcher reads a `null` there as absent (rule I3), so a client that sends one is still served.
///
/// ```
/// # mcp_tool_runtime::__step! { optional:
/// before  {"properties": {"a": {"type": ["string", "null"]}}}
/// after   {"properties": {"a": {"type": "string"}}}
/// before  {"properties": {"a": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}},
///          "$defs": {"Node": {"type": "object"}}}
/// after   {"properties": {"a": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": {"type": "object"}}}
/// # }
/// ```
pub(super) fn optional(schema: &mut Value) {
    each_optional(schema, without_null);
}

/// Visits every property that may be left out, at every depth.
pub(super) fn each_optional(schema: &mut Value, change: fn(&mut Value, &Definitions)) {
    let definitions = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
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
            if !is_listed(required, name) {
                change(property, &definitions);
            }
        }
    });
}

/// Whether `required` has the name.
pub(super) fn is_listed(required: Option<&Vec<Value>>, name: &str) -> bool {
    required.is_some_and(|required| required.iter().any(|other| other == name))
}

/// Takes `null` from what the schema admits; a schema that admits nothing else is left as it is.
pub(super) fn without_null(schema: &mut Value, definitions: &Definitions) {
    strip(schema, definitions, &mut BTreeSet::new());
}

fn strip(schema: &mut Value, definitions: &Definitions, followed: &mut BTreeSet<String>) {
    if is_null(schema) || look_through(schema, definitions, followed) {
        return;
    }
    if let Some(kind @ Value::Array(_)) = keyword_mut(schema, "type")
        && let Value::Array(kinds) = kind
    {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_mut_slice() {
            *kind = only.take();
        }
    }
    if let Some(Value::Array(values)) = keyword_mut(schema, "enum") {
        values.retain(|value| !value.is_null());
    }
    for union in ["anyOf", "oneOf"] {
        strip_union(schema, union, definitions, followed);
    }
}

/// A union of which one branch is left becomes that branch.
fn strip_union(schema: &mut Value, union: &str, definitions: &Definitions, followed: &mut BTreeSet<String>) {
    let Some(Value::Array(branches)) = keyword_mut(schema, union) else {
        return;
    };
    let before = branches.len();
    branches.retain(|branch| !is_null(branch));
    for branch in branches.iter_mut() {
        strip(branch, definitions, followed);
    }
    if branches.len() == 1
        && before > 1
        && let Some(only) = branches.pop()
        && let Some(object) = schema.as_object_mut()
    {
        let mut site = std::mem::take(object);
        site.shift_remove(union);
        *schema = merge(site, only);
    }
}

/// A definition that admits `null` may be wanted with it elsewhere, so here a copy without it takes its place. Of one that
/// contains itself in an optional property there would have to be a copy in the copy, and so on: such a one stays, with
/// `null`.
fn look_through(schema: &mut Value, definitions: &Definitions, followed: &mut BTreeSet<String>) -> bool {
    let Some(name) = reference::definition_name(schema).map(Cow::into_owned) else {
        return false;
    };
    let Some(definition) = definitions.get(&name) else {
        return false;
    };
    if !followed.insert(name.clone()) {
        return false;
    }
    let mut stripped = definition.clone();
    strip(&mut stripped, definitions, followed);
    followed.remove(&name);
    if &stripped == definition || contains_itself(&name, definition, definitions) {
        return false;
    }
    let Some(site) = schema.as_object_mut() else {
        return false;
    };
    let mut site = std::mem::take(site);
    site.shift_remove("$ref");
    *schema = merge(site, stripped);
    true
}

/// Whether a definition comes to itself by way of a property that may be left out.
fn contains_itself(name: &str, definition: &Value, definitions: &Definitions) -> bool {
    let mut met = BTreeSet::new();
    let mut pending = vec![(definition, false)];
    while let Some((definition, by_property)) = pending.pop() {
        let mut follow = |schema, by_property| {
            for target in targets(schema) {
                if let Some(below) = definitions.get(&target)
                    && met.insert((target, by_property))
                {
                    pending.push((below, by_property));
                }
            }
        };
        follow(definition, by_property);
        walk::visit(definition, &mut |schema| {
            let required = keyword(schema, "required").and_then(Value::as_array);
            let properties = keyword(schema, "properties").and_then(Value::as_object).into_iter().flatten();
            properties.filter(|(name, _)| !is_listed(required, name)).for_each(|(_, property)| follow(property, true));
        });
    }
    met.contains(&(name.to_owned(), true))
}

/// The definitions that stand for a value themselves: what is referred to, or is by a branch of a union.
fn targets(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![schema];
    while let Some(schema) = pending.pop() {
        found.extend(reference::definition_name(schema).map(Cow::into_owned));
        let branches = ["anyOf", "oneOf"].into_iter().filter_map(|union| keyword(schema, union)?.as_array());
        pending.extend(branches.flatten());
    }
    found
}

/// Whether `null` is all that the schema admits.
pub(super) fn is_null(schema: &Value) -> bool {
    let all_null = |values: &Value| {
        values.as_array().is_some_and(|values| !values.is_empty() && values.iter().all(Value::is_null))
    };
    let null_type =
        |kind: &Value| kind == "null" || kind.as_array().is_some_and(|kinds| kinds.iter().all(|k| k == "null"));
    keyword(schema, "type").is_some_and(null_type)
        || keyword(schema, "const").is_some_and(Value::is_null)
        || keyword(schema, "enum").is_some_and(all_null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What becomes of an optional property `a` of this schema.
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
    fn null_goes_in_each_form() {
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
    fn a_definition_that_is_its_own_branch_ends() {
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
