//! Definitions that stand below the root (rule T3).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::schema::reference;
use crate::schema::walk;

/// Stands before a reference that says already where its definition is at the root, and is not renamed again.
const SETTLED: char = '\0';

/// Takes the definitions of a whole schema that was put into this one (by `#[schemars(schema_with = "…")]`, say) to the
/// root, where the references to them look. One whose name is taken by another gets a new one.
///
/// ```
/// # mcp_tool_runtime::__step! { hoist:
/// before  {"properties": {"a": {"$ref": "#/$defs/A", "$defs": {"A": {"type": "string"}}}}}
/// after   {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}}
/// # }
/// ```
pub(super) fn hoist(schema: &mut Value) {
    name_embedded(schema);
    let mut taken = match schema.get_mut("$defs") {
        Some(Value::Object(definitions)) => std::mem::take(definitions),
        _ => Map::new(),
    };
    let mut found = Map::new();
    lift(schema, &mut taken, &mut found);
    // A definition may bring definitions of its own.
    for name in taken.keys().cloned().collect::<Vec<_>>() {
        let mut definition = taken[&name].take();
        lift(&mut definition, &mut taken, &mut found);
        taken[&name] = definition;
    }
    taken.extend(found);
    taken.values_mut().for_each(plain);
    plain(schema);
    match schema.as_object_mut() {
        Some(root) if !taken.is_empty() => drop(root.insert("$defs".to_owned(), Value::Object(taken))),
        Some(root) => drop(root.shift_remove("$defs")),
        None => {}
    }
}

/// Gives each whole schema inside that refers to itself as `#` a name, which is the same wherever it stands.
fn name_embedded(schema: &mut Value) {
    for (_, child) in walk::children_mut(schema) {
        name_embedded(child);
        let mut is_recursive = false;
        walk::visit(child, &mut |part| is_recursive |= part["$ref"] == "#");
        let Some(whole) = child.as_object_mut().filter(|child| is_recursive && child.contains_key("$schema")) else {
            continue;
        };
        whole.shift_remove("$schema");
        let mut name = whole.get("title").and_then(Value::as_str).unwrap_or("Schema").to_owned();
        while whole.get("$defs").is_some_and(|definitions| definitions.get(&name).is_some()) {
            name.push('_');
        }
        let to_itself = reference::to_definition(&name);
        walk::visit_mut(child, &mut |part| {
            if part["$ref"] == "#" {
                part["$ref"] = to_itself.as_str().into();
            }
        });
        let mut definitions = match child.as_object_mut().and_then(|child| child.shift_remove("$defs")) {
            Some(Value::Object(definitions)) => definitions,
            _ => Map::new(),
        };
        definitions.insert(name, child.take());
        *child = json!({ "$ref": to_itself, "$defs": definitions });
    }
}

/// Innermost first, so that each reference is renamed by the definitions that are nearest.
fn lift(schema: &mut Value, taken: &mut Map<String, Value>, found: &mut Map<String, Value>) {
    for (_, child) in walk::children_mut(schema) {
        lift(child, taken, found);
    }
    let removed = schema.as_object_mut().and_then(|schema| match schema.get("$defs") {
        Some(Value::Object(_)) => schema.shift_remove("$defs"),
        _ => None,
    });
    let Some(Value::Object(own)) = removed else { return };
    let names = new_names(&own, |name| taken.get(name).or_else(|| found.get(name)));
    rename(schema, &names);
    for (name, mut definition) in own {
        rename(&mut definition, &names);
        let name = &names[&name];
        if !taken.contains_key(name) {
            found.insert(name.clone(), definition);
        }
    }
}

/// The names of definitions at the root: new ones for those whose name is another one's. One that refers to a renamed one
/// is not what was written alike elsewhere, and gets a new name too.
fn new_names<'k>(own: &Map<String, Value>, known: impl Fn(&str) -> Option<&'k Value>) -> BTreeMap<String, String> {
    let mut names: BTreeMap<_, _> = own.keys().map(|name| (name.clone(), name.clone())).collect();
    loop {
        let before = names.clone();
        for (name, definition) in own {
            let is_other = |new: &str| {
                known(new).is_some_and(|known| {
                    let (mut renamed, mut names) = (definition.clone(), names.clone());
                    names.insert(name.clone(), new.to_owned());
                    rename(&mut renamed, &names);
                    plain(&mut renamed);
                    let mut known = known.clone();
                    plain(&mut known);
                    known != renamed
                })
            };
            let is_neighbour = |new: &str| own.contains_key(new) || names.values().any(|other| other == new);
            let current = &names[name];
            if is_other(current) {
                let mut new = format!("{current}_");
                while is_other(&new) || is_neighbour(&new) {
                    new.push('_');
                }
                names.insert(name.clone(), new);
            }
        }
        if names == before {
            return names;
        }
    }
}

/// Lets every reference to one of the definitions say its name at the root.
fn rename(schema: &mut Value, names: &BTreeMap<String, String>) {
    walk::visit_mut(schema, &mut |part| {
        if let Some(new) = reference::definition_name(part).and_then(|name| names.get(&*name)) {
            part["$ref"] = format!("{SETTLED}{}", reference::to_definition(new)).into();
        }
    });
}

/// Takes the mark from settled references.
fn plain(schema: &mut Value) {
    walk::visit_mut(schema, &mut |part| {
        if let Some(target) = part.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix(SETTLED)) {
            part["$ref"] = target.into();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(mut schema: Value) -> Value {
        hoist(&mut schema);
        schema
    }

    #[test]
    fn definitions_go_to_the_root() {
        let text = json!({ "type": "string" });
        assert_eq!(
            after(json!({ "properties": { "a": { "$ref": "#/$defs/A", "$defs": { "A": text } } } })),
            json!({ "properties": { "a": { "$ref": "#/$defs/A" } }, "$defs": { "A": text } })
        );
    }

    #[test]
    fn a_whole_schema_that_refers_to_itself_gets_a_name() {
        let node = |to: &str| json!({ "title": "Node", "properties": { "next": { "$ref": to } } });
        let mut whole = node("#");
        whole["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
        assert_eq!(
            after(json!({ "properties": { "a": whole } })),
            json!({ "properties": { "a": { "$ref": "#/$defs/Node" } }, "$defs": { "Node": node("#/$defs/Node") } })
        );
    }

    #[test]
    fn another_definition_of_the_name_gets_a_new_one() {
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
    fn a_definition_that_refers_to_a_renamed_one_is_another_one() {
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
    fn a_reference_is_renamed_by_the_nearest_definitions_alone() {
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
    fn a_new_name_is_not_that_of_a_neighbour() {
        let own = json!({ "items": { "$ref": "#/$defs/A" }, "$defs": { "A": { "type": "null" }, "A_": {} } });
        assert_eq!(
            after(json!({ "properties": { "a": own }, "$defs": { "A": { "type": "string" } } })),
            json!({
                "properties": { "a": { "items": { "$ref": "#/$defs/A__" } } },
                "$defs": { "A": { "type": "string" }, "A__": { "type": "null" }, "A_": {} }
            })
        );
    }

    #[test]
    fn a_schema_without_such_definitions_stays() {
        for schema in [json!({ "type": "object" }), json!({ "$defs": { "A": { "$defs": true } } }), json!(true)] {
            assert_eq!(after(schema.clone()), schema);
        }
    }
}
