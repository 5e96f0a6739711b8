//! References: wrapped in a union, or inlined.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::schema::reference::{self, Reference};
use crate::schema::walk;

/// How many references are inlined in one schema. A schema that doubles with each definition would otherwise fill the memory.
const MOST: usize = 1_000;

/// How many inlined definitions may be nested, so that the schema does not become too deep to visit.
const MOST_NESTED: usize = 32;

/// Moves a reference that has other keywords beside it into a union of one branch.
pub(super) fn wrap(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        let Some(keywords) = schema.as_object_mut() else { return };
        let is_wrapped = keywords.len() > 1 && !keywords.contains_key("anyOf") && !keywords.contains_key("$defs");
        if is_wrapped && let Some(target) = keywords.shift_remove("$ref") {
            keywords.insert("anyOf".to_owned(), json!([{ "$ref": target }]));
        }
    });
}

/// Replaces references by what they refer to: each, or only those with nothing but a description beside them. A reference inside
/// its own definition stays.
pub(super) fn inline(schema: &mut Value, each: bool) {
    let Some(definitions) = schema.get("$defs").and_then(Value::as_object).cloned() else { return };
    let mut inliner = Inliner { definitions: &definitions, each, left: MOST, open: Vec::new() };
    inliner.visit(schema);
    prune(schema);
}

struct Inliner<'s> {
    definitions: &'s Map<String, Value>,
    each: bool,
    left: usize,
    /// The definitions around the schema that is visited.
    open: Vec<String>,
}

impl Inliner<'_> {
    /// Recursive: the depth of a schema is limited, and so is the number of references.
    fn visit(&mut self, schema: &mut Value) {
        let name = self.inlined_name(schema);
        if let Some(name) = &name {
            self.left -= 1;
            *schema = with_siblings(self.definitions[name].clone(), std::mem::take(schema));
        }
        self.open.extend(name.clone());
        walk::visit_children_mut(schema, |location, child| {
            // A definition that is still needed keeps its references, which then lead to definitions.
            if location.keyword != "$defs" || !self.each {
                self.visit(child);
            }
        });
        self.open.truncate(self.open.len() - usize::from(name.is_some()));
    }

    fn inlined_name(&self, schema: &Value) -> Option<String> {
        let keywords = schema.as_object()?;
        let is_described = keywords.len() == 2 && keywords.contains_key("description");
        let name = reference::definition_name(schema).map(Cow::into_owned)?;
        let is_inlined = (self.each || is_described)
            && self.left > 0
            && self.open.len() < MOST_NESTED
            && self.definitions.contains_key(&name)
            && !self.open.contains(&name);
        is_inlined.then_some(name)
    }
}

/// Returns a definition with the keywords beside the reference. Only annotations can be added to it.
fn with_siblings(definition: Value, reference: Value) -> Value {
    let Value::Object(mut siblings) = reference else { return definition };
    siblings.shift_remove("$ref");
    let is_annotation = |name: &String| matches!(name.as_str(), "description" | "title" | "default" | "examples");
    match definition {
        Value::Object(mut definition) if siblings.keys().all(is_annotation) => {
            definition.extend(siblings);
            Value::Object(definition)
        }
        definition => {
            siblings.insert("allOf".to_owned(), json!([definition]));
            Value::Object(siblings)
        }
    }
}

/// Removes the definitions that nothing refers to.
fn prune(schema: &mut Value) {
    loop {
        let mut used = Vec::new();
        walk::visit(schema, &mut |schema| {
            let target = walk::keyword(schema, "$ref").and_then(Value::as_str).map(Reference::parse);
            if let Some(Reference::Definition(name) | Reference::Within(name)) = target {
                used.push(name.into_owned());
            }
        });
        let Some(Value::Object(definitions)) = schema.get_mut("$defs") else { return };
        let before = definitions.len();
        definitions.retain(|name, _| used.contains(name));
        let (after, is_empty) = (definitions.len(), definitions.is_empty());
        if is_empty && let Some(keywords) = schema.as_object_mut() {
            keywords.shift_remove("$defs");
        }
        if after == before || is_empty {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_described_reference_is_wrapped_or_inlined() {
        let schema = json!({
            "properties": { "a": { "description": "d", "$ref": "#/$defs/A" }, "b": { "$ref": "#/$defs/B" } },
            "$defs": { "A": { "type": "string", "description": "old" }, "B": { "type": "null" } }
        });
        let mut wrapped = schema.clone();
        wrap(&mut wrapped);
        assert_eq!(wrapped["properties"]["a"], json!({ "description": "d", "anyOf": [{ "$ref": "#/$defs/A" }] }));
        assert_eq!(wrapped["properties"]["b"], json!({ "$ref": "#/$defs/B" }));
        let mut inlined = schema.clone();
        inline(&mut inlined, false);
        assert_eq!(inlined["properties"]["a"], json!({ "type": "string", "description": "d" }));
        assert_eq!(inlined["$defs"], json!({ "B": { "type": "null" } }));
        let mut all = schema;
        inline(&mut all, true);
        assert_eq!(
            all,
            json!({ "properties": { "a": { "type": "string", "description": "d" }, "b": { "type": "null" } } })
        );
    }

    #[test]
    fn recursion_and_doubling_end() {
        let described = json!({ "description": "d", "$ref": "#/$defs/A" });
        let mut recursive = json!({ "items": described, "$defs": { "A": { "items": described } } });
        inline(&mut recursive, false);
        assert_eq!(recursive["items"], json!({ "items": described, "description": "d" }));
        let of = |index: usize| json!({ "$ref": format!("#/$defs/A{index}") });
        let definition = |index: usize| json!({ "properties": { "l": of(index + 1), "r": of(index + 1) } });
        let mut definitions: Map<_, _> = (0..40).map(|index| (format!("A{index}"), definition(index))).collect();
        definitions.insert("A40".to_owned(), json!({ "type": "string" }));
        let mut doubling = json!({ "items": of(0), "$defs": definitions });
        inline(&mut doubling, true);
        assert!(doubling.to_string().len() < 100_000 && doubling.get("$defs").is_some());
    }
}
