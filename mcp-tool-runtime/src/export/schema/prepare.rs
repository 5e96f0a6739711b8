//! The first steps for every vendor: the dialect 2020-12, without keywords that no vendor reads.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::drop_keywords;
use crate::json::path::fragment;
use crate::lint::limits::Alphabet;
use crate::schema::accepted::is_never;
use crate::schema::reference::{self, Reference};
use crate::schema::walk::{self, keyword};

/// A schema in the dialect 2020-12, without keywords that no vendor reads.
pub(in crate::export) struct Prepared {
    pub(in crate::export) schema: Value,
    /// The old names of renamed definitions.
    pub(in crate::export) renamed: Renamed,
    /// The schema is hand-written, so the handler also receives properties that the schema does not list.
    pub(in crate::export) is_hand_written: bool,
    /// The schema had examples, which nothing has checked.
    pub(in crate::export) lost_examples: bool,
}

/// The old names of definitions, by their new names.
pub(in crate::export) type Renamed = HashMap<String, String>;

const SIMPLE: Alphabet = Alphabet::new("_-", usize::MAX);

/// Takes the first steps, before those of a vendor.
pub(in crate::export) fn prepare(schema: &Value, is_hand_written: bool) -> Prepared {
    let mut schema = schema.clone();
    // No vendor reads the dialect or keywords that are meant for programs.
    let is_for_programs =
        |keyword: &str| keyword.starts_with("x-") || matches!(keyword, "$schema" | "$comment" | "discriminator");
    drop_keywords(&mut schema, is_for_programs);
    let lost_examples = is_hand_written && drop_keywords(&mut schema, |keyword| keyword == "examples");
    if is_hand_written {
        upgrade(&mut schema);
    }
    let renamed = simplify(&mut schema);
    replace_booleans(&mut schema);
    Prepared { schema, renamed, is_hand_written, lost_examples }
}

/// Replaces the keywords of draft 7, which hand-written schemas may use: `definitions`, lists under `items`, and
/// `dependencies`.
fn upgrade(schema: &mut Value) {
    if schema.get("$defs").is_none()
        && let Some(keywords) = schema.as_object_mut()
        && let Some(definitions) = keywords.shift_remove("definitions")
    {
        keywords.insert("$defs".to_owned(), definitions);
    }
    walk::visit_mut(schema, &mut |schema| {
        if let Some(Value::String(target)) = walk::keyword_mut(schema, "$ref")
            && let Some(name) = target.strip_prefix("#/definitions/")
        {
            *target = format!("#/$defs/{name}");
        }
        let Some(keywords) = schema.as_object_mut() else { return };
        if keywords.get("items").is_some_and(Value::is_array)
            && let Some(items) = keywords.shift_remove("items")
        {
            keywords.insert("prefixItems".to_owned(), items);
            let rest = keywords.shift_remove("additionalItems");
            keywords.extend(rest.map(|rest| ("items".to_owned(), rest)));
        }
        if let Some(Value::Object(dependencies)) = keywords.shift_remove("dependencies") {
            let (required, schemas): (Map<_, _>, Map<_, _>) =
                dependencies.into_iter().partition(|(_, dependency)| dependency.is_array());
            let both = [("dependentRequired", required), ("dependentSchemas", schemas)];
            let both = both.into_iter().filter(|(_, found)| !found.is_empty());
            keywords.extend(both.map(|(keyword, found)| (keyword.to_owned(), found.into())));
        }
    });
}

/// Renames definitions, so that their names have only letters, digits, `_` and `-`.
///
/// References to a derived definition such as `Page<User>` contain percent escapes, which vendors may not decode.
fn simplify(schema: &mut Value) -> Renamed {
    let Some(Value::Object(definitions)) = schema.get_mut("$defs") else { return Renamed::new() };
    if definitions.keys().all(|name| SIMPLE.fit(name) == *name) {
        return Renamed::new();
    }
    let mut renamed: HashMap<String, String> = HashMap::new();
    let mut simple = Map::new();
    for (name, definition) in std::mem::take(definitions) {
        let mut new = SIMPLE.fit(&name);
        while simple.contains_key(&new) {
            new.push('_');
        }
        simple.insert(new.clone(), definition);
        renamed.insert(name, new);
    }
    *definitions = simple;
    walk::visit_mut(schema, &mut |schema| {
        let Some(Value::String(target)) = walk::keyword_mut(schema, "$ref") else { return };
        let new = match Reference::parse(target) {
            Reference::Definition(name) => renamed.get(&name).map(|name| reference::to_definition(name)),
            Reference::Within(name, rest) => renamed.get(&name).map(|new| fragment(&format!("/$defs/{new}{rest}"))),
            _ => None,
        };
        if let Some(new) = new {
            *target = new;
        }
    });
    renamed.into_iter().map(|(old, new)| (new, old)).collect()
}

/// Replaces `true` with `{}`, and removes properties that are `false` from closed objects. Neither changes the meaning.
fn replace_booleans(schema: &mut Value) {
    const CLOSING: [&str; 5] =
        ["additionalProperties", "unevaluatedProperties", "items", "additionalItems", "unevaluatedItems"];
    walk::visit_mut(schema, &mut |schema| {
        let is_closed = keyword(schema, "additionalProperties").is_some_and(is_never);
        if is_closed && let Some(Value::Object(properties)) = walk::keyword_mut(schema, "properties") {
            properties.retain(|_, property| *property != Value::Bool(false));
        }
        walk::visit_children_mut(schema, |location, child| {
            if let (Value::Bool(accepts), false) = (&*child, CLOSING.contains(&location.keyword)) {
                *child = if *accepts { json!({}) } else { json!({ "not": {} }) };
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_keywords_are_written_in_the_new_way() {
        let mut schema = json!({
            "properties": { "pair": { "items": [{ "$ref": "#/definitions/A" }], "additionalItems": false } },
            "dependencies": { "a": ["b"], "c": { "required": ["d"] } },
            "definitions": { "A": { "type": "string" } }
        });
        upgrade(&mut schema);
        assert_eq!(
            schema,
            json!({
                "properties": { "pair": { "prefixItems": [{ "$ref": "#/$defs/A" }], "items": false } },
                "dependentRequired": { "a": ["b"] },
                "dependentSchemas": { "c": { "required": ["d"] } },
                "$defs": { "A": { "type": "string" } }
            })
        );
    }

    #[test]
    fn definitions_get_names_without_escapes() {
        let mut schema = json!({
            "properties": {
                "a": { "$ref": "#/$defs/Page%3CUser%3E" }, "b": { "$ref": "#/$defs/Page_User_" },
                "c": { "$ref": "#/$defs/Page%3CUser%3E/properties/x" },
                "d": { "$ref": "#/%24defs/Page%3CUser%3E/properties/x" }
            },
            "$defs": { "Page<User>": { "properties": { "x": { "type": "string" } } }, "Page_User_": { "type": "null" } }
        });
        simplify(&mut schema);
        for (property, expected) in
            [("a", json!("string")), ("b", json!("null")), ("c", json!("string")), ("d", json!("string"))]
        {
            let target = schema["properties"][property]["$ref"].as_str().expect("a reference").to_owned();
            let found = reference::resolve(&schema, &target).expect("a target");
            let found = found.get("properties").map_or(found, |properties| &properties["x"]);
            assert_eq!(found["type"], expected, "{property}: {target}");
        }
    }
}
