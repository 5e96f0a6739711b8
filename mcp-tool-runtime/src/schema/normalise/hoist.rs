//! Moves the definitions of embedded schemas to the root (rule T3).

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{put_definitions, take_definitions};
use crate::schema::{reference, walk};

/// The mark at the start of a renamed reference. Such a reference already uses its definition's name at the root, so it
/// is not renamed again.
const RENAMED: char = '\0';

/// The keywords that show that a subschema was a root schema.
const EMBEDDED: [&str; 2] = ["$schema", "$defs"];

/// Moves the definitions of an embedded root schema to the root, where references expect them.
///
/// Root schemas are embedded by `#[schemars(schema_with = "…")]`, for example. A definition whose name is already used
/// by a different definition gets a new name.
///
/// ```text
/// before  {"properties": {"a": {"$ref": "#/$defs/A", "$defs": {"A": {"type": "string"}}}}}
/// after   {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}}
/// ```
pub(super) fn hoist(schema: &mut Value) {
    let mut has_embedded = false;
    let is_embedded = |inner: &Value| EMBEDDED.iter().any(|keyword| walk::keyword(inner, keyword).is_some());
    walk::visit_children(schema, |_, child| has_embedded |= walk::any(child, is_embedded));
    if !has_embedded {
        return;
    }
    name_recursive_schemas(schema);
    let mut at_root = take_definitions(schema);
    let mut found = Map::new();
    move_definitions(schema, &mut at_root, &mut found);
    // A definition can itself have definitions.
    for name in at_root.keys().cloned().collect::<Vec<_>>() {
        let mut definition = at_root[&name].take();
        move_definitions(&mut definition, &mut at_root, &mut found);
        at_root[&name] = definition;
    }
    at_root.extend(found);
    at_root.values_mut().for_each(remove_marks);
    remove_marks(schema);
    put_definitions(schema, at_root);
}

/// Turns each embedded root schema that refers to itself as `#` into a definition, since `#` would now be the outer
/// root.
fn name_recursive_schemas(schema: &mut Value) {
    walk::visit_children_mut(schema, |_, child| {
        name_recursive_schemas(child);
        if walk::keyword(child, "$schema").is_some() {
            let name = child["title"].as_str().unwrap_or("Schema").to_owned();
            name_the_root(child, name);
        }
    });
}

/// Moves a root schema into a definition, and replaces references to `#` with references to that definition. Does
/// nothing if there is no reference to `#`. If the name is taken, underscores are added.
pub(super) fn name_the_root(schema: &mut Value, mut name: String) {
    let refers_to_root = |schema: &Value| walk::keyword_or_null(schema, "$ref") == "#";
    if !walk::any(schema, refers_to_root) {
        return;
    }
    while schema["$defs"].get(&name).is_some() {
        name.push('_');
    }
    let to_itself = json!({ "$ref": reference::to_definition(&name) });
    walk::visit_mut(schema, &mut |inner| {
        if refers_to_root(inner) {
            inner["$ref"] = to_itself["$ref"].clone();
        }
    });
    let mut definitions = take_definitions(schema);
    if let Some(keywords) = schema.as_object_mut() {
        keywords.shift_remove("$schema");
    }
    definitions.insert(name, std::mem::replace(schema, to_itself));
    put_definitions(schema, definitions);
}

/// Moves definitions from a schema to the root. Inner schemas go first, so that each reference is renamed according to
/// the nearest definitions.
///
/// If the root has another definition with one of the names, underscores are added to all names, the same number to
/// each.
fn move_definitions(schema: &mut Value, at_root: &mut Map<String, Value>, found: &mut Map<String, Value>) {
    walk::visit_children_mut(schema, |_, child| move_definitions(child, at_root, found));
    let own = take_definitions(schema);
    if own.is_empty() {
        return;
    }
    let mut suffix = String::new();
    loop {
        let rename_one = |name: &String| (name.clone(), format!("{name}{suffix}"));
        let names: HashMap<_, _> = own.keys().map(rename_one).collect();
        let mut renamed = own.clone();
        renamed.values_mut().for_each(|definition| rename(definition, &names));
        let is_free = |(name, definition): (&String, &Value)| {
            let known = at_root.get(&names[name]).or_else(|| found.get(&names[name]));
            known.is_none_or(|known| without_marks(known) == without_marks(definition))
        };
        if renamed.iter().all(is_free) {
            rename(schema, &names);
            let new = renamed.into_iter().filter(|(name, _)| !at_root.contains_key(&names[name]));
            return found.extend(new.map(|(name, definition)| (names[&name].clone(), definition)));
        }
        suffix.push('_');
    }
}

/// Replaces the names in references, and marks these references.
fn rename(schema: &mut Value, names: &HashMap<String, String>) {
    walk::visit_mut(schema, &mut |inner| {
        if let Some(new) = reference::definition_name(inner).and_then(|name| names.get(&name)) {
            inner["$ref"] = format!("{RENAMED}{}", reference::to_definition(new)).into();
        }
    });
}

/// Removes the marks from renamed references.
fn remove_marks(schema: &mut Value) {
    walk::visit_mut(schema, &mut |inner| {
        if let Some(target) = walk::keyword_or_null(inner, "$ref").as_str().and_then(|to| to.strip_prefix(RENAMED)) {
            inner["$ref"] = target.into();
        }
    });
}

fn without_marks(schema: &Value) -> Value {
    let mut schema = schema.clone();
    remove_marks(&mut schema);
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(mut schema: Value) -> Value {
        hoist(&mut schema);
        schema
    }

    #[test]
    fn definitions_move_to_the_root() {
        let text = json!({ "type": "string" });
        assert_eq!(
            after(json!({ "properties": { "a": { "$ref": "#/$defs/A", "$defs": { "A": text } } } })),
            json!({ "properties": { "a": { "$ref": "#/$defs/A" } }, "$defs": { "A": text } })
        );
    }

    #[test]
    fn a_recursive_embedded_schema_becomes_a_definition() {
        let node = |to: &str| json!({ "title": "Node", "properties": { "next": { "$ref": to } } });
        let mut whole = node("#");
        whole["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
        assert_eq!(
            after(json!({ "properties": { "a": whole } })),
            json!({ "properties": { "a": { "$ref": "#/$defs/Node" } }, "$defs": { "Node": node("#/$defs/Node") } })
        );
    }

    #[test]
    fn a_different_definition_of_the_same_name_is_renamed() {
        let inner = json!({ "items": { "$ref": "#/$defs/A" }, "$defs": { "A": { "not": { "$ref": "#/$defs/A" } } } });
        assert_eq!(
            after(json!({ "properties": { "a": inner, "b": { "$ref": "#/$defs/A" } }, "$defs": { "A": {} } })),
            json!({
                "properties": { "a": { "items": { "$ref": "#/$defs/A_" } }, "b": { "$ref": "#/$defs/A" } },
                "$defs": { "A": {}, "A_": { "not": { "$ref": "#/$defs/A_" } } }
            })
        );
    }

    #[test]
    fn a_definition_that_refers_to_a_renamed_one_is_renamed_too() {
        let holder = |kind: &str| {
            json!({ "$ref": "#/$defs/Outer", "$defs": {
                "Inner": { "type": kind },
                "Outer": { "items": { "$ref": "#/$defs/Outer" }, "contains": { "$ref": "#/$defs/Middle" } },
                "Middle": { "items": { "$ref": "#/$defs/Inner" } }
            } })
        };
        let after = after(json!({ "properties": { "a": holder("string"), "b": holder("null"), "c": holder("null") } }));
        assert_eq!(
            after,
            json!({
                "properties": {
                    "a": { "$ref": "#/$defs/Outer" }, "b": { "$ref": "#/$defs/Outer_" }, "c": { "$ref": "#/$defs/Outer_" }
                },
                "$defs": {
                    "Inner": { "type": "string" },
                    "Outer": { "items": { "$ref": "#/$defs/Outer" }, "contains": { "$ref": "#/$defs/Middle" } },
                    "Middle": { "items": { "$ref": "#/$defs/Inner" } },
                    "Inner_": { "type": "null" },
                    "Outer_": { "items": { "$ref": "#/$defs/Outer_" }, "contains": { "$ref": "#/$defs/Middle_" } },
                    "Middle_": { "items": { "$ref": "#/$defs/Inner_" } }
                }
            })
        );
    }

    #[test]
    fn a_reference_uses_the_nearest_definition() {
        let inner = json!({ "items": { "$ref": "#/$defs/A" }, "$defs": { "A": { "type": "string" } } });
        let outer = json!({
            "properties": { "p": inner, "q": { "$ref": "#/$defs/A" } }, "$defs": { "A": { "type": "null" } }
        });
        assert_eq!(
            after(json!({ "properties": { "a": outer } })),
            json!({
                "properties": { "a": { "properties": {
                    "p": { "items": { "$ref": "#/$defs/A" } }, "q": { "$ref": "#/$defs/A_" }
                } } },
                "$defs": { "A": { "type": "string" }, "A_": { "type": "null" } }
            })
        );
    }

    #[test]
    fn a_new_name_is_not_used_by_another_definition() {
        let own = json!({ "items": { "$ref": "#/$defs/A" }, "$defs": { "A": { "type": "null" }, "A_": {} } });
        assert_eq!(
            after(json!({ "properties": { "a": own }, "$defs": { "A": { "type": "string" } } })),
            json!({
                "properties": { "a": { "items": { "$ref": "#/$defs/A_" } } },
                "$defs": { "A": { "type": "string" }, "A_": { "type": "null" }, "A__": {} }
            })
        );
    }

    #[test]
    fn a_schema_without_embedded_definitions_is_unchanged() {
        for schema in [json!({ "type": "object" }), json!({ "$defs": { "A": { "$defs": true } } }), json!(true)] {
            assert_eq!(after(schema.clone()), schema);
        }
    }
}
