//! Names of definitions.
//!
//! A derived definition can be named `Page<User>`, and references then have percent escapes, which vendors need not decode.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::json::path::fragment;
use crate::lint::names::Alphabet;
use crate::schema::reference::{self, Reference};
use crate::schema::walk;

/// The names of definitions by the names that they have now.
pub(in crate::export) type Renamed = HashMap<String, String>;

const SIMPLE: Alphabet = Alphabet::new("_-", usize::MAX);

/// Renames definitions, so that their names have only letters, digits, `_` and `-`.
pub(super) fn simplify(schema: &mut Value) -> Renamed {
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
