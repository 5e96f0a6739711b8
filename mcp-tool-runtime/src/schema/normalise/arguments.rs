//! Makes the root of the arguments an object that refuses unknown arguments (rule T1).

use serde_json::{Map, Value, json};

use super::optional::without_null;
use super::unevaluated::{COMPOSITION, is_composed};
use crate::schema::project::{Shape, shape};

type Object = Map<String, Value>;

/// Makes the root an object that refuses unknown arguments, unless `allow_unknown` or a flattened map accepts them.
///
/// A schema is closed if it refuses unknown properties. A union that is alone at the root is closed in each branch,
/// because the root knows none of the properties. A union next to properties is closed at the root as a whole, and its
/// branches are opened, because a branch does not know the properties of the root. A root that also accepts values
/// other than objects and `null` is not closed, because `build()` refuses it. A schema that accepts any value becomes
/// an object with any arguments.
///
/// ```text
/// before  {"description": "doc of a flattened struct", "type": "object", "properties": {"a": {}}}
/// after   {"type": "object", "properties": {"a": {}}, "additionalProperties": false}
/// before  {"type": "null"}
/// after   {"type": "object", "properties": {}, "additionalProperties": false}
/// before  {"oneOf": [{"type": "object", "properties": {"a": {}}}]}
/// after   {"oneOf": [{"type": "object", "properties": {"a": {}}, "additionalProperties": false}],
///          "type": "object", "properties": {}}
/// ```
pub(super) fn arguments(schema: &mut Value, allow_unknown: bool) {
    let definitions = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    without_null(schema, &definitions);
    let is_object = shape(schema) != Shape::NotObject;
    if *schema == true {
        *schema = json!({});
    }
    let Value::Object(root) = schema else {
        *schema = json!({ "type": "object", "properties": {}, "not": {} });
        return;
    };
    // The generated struct has no documentation, so a description here comes from a flattened struct and does not
    // describe the arguments as a whole.
    root.shift_remove("description");
    if root.get("type").is_some_and(|name| name == "null") {
        root.insert("type".to_owned(), "object".into());
    } else if is_object || (!root.contains_key("type") && !is_composed(root)) {
        if !root.contains_key("type") && !is_object && !root.contains_key("properties") && !mentions_others(root) {
            // A schema that accepts any value accepts any object as arguments.
            root.insert("additionalProperties".to_owned(), true.into());
        }
        root.insert("type".to_owned(), "object".into());
    } else {
        return;
    }
    root.entry("properties").or_insert_with(|| json!({}));
    if root.get("required").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        root.shift_remove("required");
    }
    close(root, allow_unknown);
}

/// The keywords that say whether a schema accepts properties that it does not name.
const OF_OTHERS: [&str; 2] = ["additionalProperties", "unevaluatedProperties"];

/// Returns `true` if the schema has `additionalProperties` or `unevaluatedProperties`.
fn mentions_others(schema: &Object) -> bool {
    OF_OTHERS.iter().any(|keyword| schema.contains_key(*keyword))
}

/// Makes a schema refuse unknown properties, unless `allow_unknown` or a flattened map accepts them: see [`arguments`].
fn close(schema: &mut Object, allow_unknown: bool) {
    if !is_composed(schema) {
        if !mentions_others(schema) && !allow_unknown {
            schema.insert("additionalProperties".to_owned(), false.into());
        }
    } else if is_union_without_properties(schema) {
        if mentions_others(schema) {
            return;
        }
        for branch in branches(schema) {
            if let Some(branch) = branch.as_object_mut() {
                close(branch, allow_unknown);
            }
        }
    } else {
        branches(schema).for_each(open);
        if !mentions_others(schema) && !allow_unknown {
            schema.insert("unevaluatedProperties".to_owned(), false.into());
        }
    }
}

/// Returns `true` if the schema is a single union with no properties next to it.
fn is_union_without_properties(schema: &Object) -> bool {
    let composed: Vec<_> = COMPOSITION.into_iter().filter(|keyword| schema.contains_key(*keyword)).collect();
    let is_empty = |keyword| schema.get(keyword).and_then(Value::as_object).is_none_or(Map::is_empty);
    matches!(composed.as_slice(), ["oneOf" | "anyOf"]) && is_empty("properties") && is_empty("patternProperties")
}

fn branches(schema: &mut Object) -> impl Iterator<Item = &mut Value> {
    let unions = schema.iter_mut().filter(|(keyword, _)| matches!(keyword.as_str(), "oneOf" | "anyOf" | "allOf"));
    unions.filter_map(|(_, union)| union.as_array_mut()).flatten()
}

/// Lets a branch accept the properties that are next to the union.
fn open(branch: &mut Value) {
    let Some(branch) = branch.as_object_mut() else { return };
    branch.retain(|keyword, value| !(OF_OTHERS.contains(&keyword.as_str()) && *value == false));
    branches(branch).for_each(open);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(mut schema: Value) -> Value {
        arguments(&mut schema, false);
        schema
    }

    #[test]
    fn an_object_is_closed_unless_it_accepts_other_properties() {
        let closed = json!({ "type": "object", "properties": {}, "additionalProperties": false });
        assert_eq!(after(json!({ "description": "leaked", "type": "object", "required": [] })), closed);
        assert_eq!(after(json!({ "type": "null" })), closed);
        assert_eq!(after(json!({ "type": ["object", "null"] })), closed);
        assert_eq!(
            after(json!({ "type": "object", "additionalProperties": { "type": "string" } })),
            json!({ "type": "object", "properties": {}, "additionalProperties": { "type": "string" } })
        );
        assert_eq!(after(json!({}))["additionalProperties"], json!(true));
        assert_eq!(after(json!(true))["additionalProperties"], json!(true));
        assert_eq!(after(json!(false))["not"], json!({}));
        let mut open = json!({ "type": "object" });
        arguments(&mut open, true);
        assert_eq!(open, json!({ "type": "object", "properties": {} }));
    }

    #[test]
    fn the_branches_of_a_root_union_are_closed() {
        let branch = |name: &str| json!({ "type": "object", "properties": { name: {} } });
        let closed =
            |name: &str| json!({ "type": "object", "properties": { name: {} }, "additionalProperties": false });
        let schema = after(json!({ "oneOf": [branch("a"), { "anyOf": [branch("b"), { "type": "object" }] }] }));
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["properties"], json!({}));
        assert_eq!(schema["oneOf"][0], closed("a"));
        assert_eq!(schema["oneOf"][1]["anyOf"][0], closed("b"));
        assert_eq!(schema["oneOf"][1]["anyOf"][1], json!({ "type": "object", "additionalProperties": false }));
        assert_eq!(schema["oneOf"][1].as_object().map(Map::len), Some(1));
        assert!(schema.get("additionalProperties").is_none());
    }

    #[test]
    fn a_union_next_to_properties_is_closed_as_a_whole() {
        let schema = after(json!({
            "type": "object",
            "properties": { "id": {} },
            "oneOf": [{ "type": "object", "properties": { "a": {} }, "additionalProperties": false }]
        }));
        assert_eq!(schema["unevaluatedProperties"], json!(false));
        assert_eq!(schema["oneOf"][0], json!({ "type": "object", "properties": { "a": {} } }));
    }

    #[test]
    fn a_branch_that_is_a_reference_is_closed_next_to_it() {
        let schema = after(json!({
            "oneOf": [{ "$ref": "#/$defs/A" }],
            "$defs": { "A": { "type": "object", "properties": { "next": { "$ref": "#/$defs/A" } } } }
        }));
        assert_eq!(schema["oneOf"][0], json!({ "$ref": "#/$defs/A", "unevaluatedProperties": false }));
    }

    #[test]
    fn a_root_that_accepts_other_values_is_unchanged() {
        for schema in [
            json!({ "type": "string" }),
            json!({ "oneOf": [{ "type": "string", "enum": ["a"] }, { "type": "object" }] }),
        ] {
            assert_eq!(after(schema.clone()), schema);
        }
    }
}
