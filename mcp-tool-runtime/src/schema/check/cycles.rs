//! Finds schemas that apply themselves to the same value (rule T16).
//!
//! The specification defines no result for such a schema, and most validators overflow their stack. So does serde, when
//! it reads an untagged enum whose variant holds the enum itself.

use serde_json::Value;
use std::collections::HashMap;

use super::subschemas::Subschema;
use crate::schema::reference;
use crate::schema::walk;

/// The keywords that apply a schema to the value itself, rather than to a part of it.
const IN_PLACE: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/// The keywords that apply the schema of another place.
const REFERENCES: [&str; 2] = ["$ref", "$dynamicRef"];

/// Returns an error for each subschema that applies a schema which is already being applied to the same value.
pub(super) fn errors(root: &Value, all: &[Subschema<'_>], hand_written: bool) -> Vec<String> {
    let instead = if hand_written {
        "apply it to a property or an element"
    } else {
        "a type cannot hold itself without a field between; instead of an untagged variant `Not(Box<Self>)`, write \
         `Not { not: Box<Self> }`"
    };
    let has_reference = |schema| REFERENCES.iter().any(|keyword| walk::keyword(schema, keyword).is_some());
    if !all.iter().any(|subschema| has_reference(subschema.schema)) {
        return Vec::new();
    }
    let indices = all.iter().enumerate().map(|(at, subschema)| (address(subschema.schema), at)).collect();
    let mut search = Search { root, indices, states: HashMap::new(), found: Vec::new() };
    for (at, subschema) in all.iter().enumerate() {
        search.follow(subschema.schema, at, 0);
    }
    let message = |at: &usize| {
        format!("{}: the schema applies itself to the same value, which never ends: {instead}", all[*at].path(all))
    };
    search.found.iter().map(message).collect()
}

fn address(schema: &Value) -> usize {
    std::ptr::from_ref(schema).addr()
}

/// The longest chain of schemas that is followed. Compiling a schema refuses longer ones.
const MAX_FOLLOWED: usize = 256;

struct Search<'s> {
    root: &'s Value,
    /// The indices of the subschemas, by address.
    indices: HashMap<usize, usize>,
    /// Whether a schema is still being applied, by address.
    states: HashMap<usize, bool>,
    /// The last subschema of each cycle.
    found: Vec<usize>,
}

impl<'s> Search<'s> {
    /// Follows everything that a schema applies to the same value. `before` is the index of the last subschema on the
    /// way, because a reference can lead to a place that is not a subschema.
    fn follow(&mut self, schema: &'s Value, before: usize, depth: usize) {
        match self.states.get(&address(schema)) {
            Some(true) => self.found.push(before),
            Some(false) => {}
            None if depth == MAX_FOLLOWED => {}
            None => {
                self.states.insert(address(schema), true);
                let at = self.indices.get(&address(schema)).copied().unwrap_or(before);
                let root = self.root;
                let target = |keyword| reference::resolve(root, walk::keyword(schema, keyword)?.as_str()?);
                for target in REFERENCES.into_iter().filter_map(target) {
                    self.follow(target, at, depth + 1);
                }
                walk::visit_children(schema, |location, child| {
                    if IN_PLACE.contains(&location.keyword) {
                        self.follow(child, at, depth + 1);
                    }
                });
                self.states.insert(address(schema), false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::check::subschemas::subschemas;

    fn paths(schema: &Value) -> Vec<String> {
        let errors = errors(schema, &subschemas(schema).expect("a small schema"), true);
        errors.iter().map(|error| error.split(':').next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn a_schema_that_applies_itself_to_the_same_value_is_refused_once() {
        let definitions = |a: Value, b: Value| json!({"items": {"$ref": "#/$defs/A"}, "$defs": {"A": a, "B": b}});
        let to = |name: &str| json!({"$ref": format!("#/$defs/{name}")});
        for (schema, path) in [
            (definitions(to("B"), to("A")), "`/$defs/B`"),
            (definitions(json!({"anyOf": [to("A"), {"type": "string"}]}), json!({})), "`/$defs/A/anyOf/0`"),
            (definitions(json!({"oneOf": [{"not": to("B")}]}), json!({"allOf": [to("A")]})), "`/$defs/B/allOf/0`"),
            (
                definitions(json!({"dependentSchemas": {"x": {"if": to("A")}}}), json!({})),
                "`/$defs/A/dependentSchemas/x/if`",
            ),
            (json!({"type": "object", "$ref": "#/$defs/leaf", "$dynamicRef": "#", "$defs": {"leaf": {}}}), "the root"),
            (json!({"items": {"$ref": "#/unknown/A"}, "unknown": {"A": {"$dynamicRef": "#/unknown/A"}}}), "`[]`"),
        ] {
            assert_eq!(paths(&schema), [path], "{schema}");
        }
    }

    #[test]
    fn references_to_parts_of_a_value_and_references_that_meet_are_accepted() {
        for schema in [
            json!({"items": {"$ref": "#"}, "properties": {"a": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}}),
            json!({
                "properties": {"a": {"$ref": "#/$defs/A", "$dynamicRef": "#/$defs/B"}, "b": {"$dynamicRef": "#"}},
                "$defs": {"A": {"$ref": "#/$defs/C"}, "B": {"$ref": "#/$defs/C"}, "C": {}}
            }),
        ] {
            assert_eq!(paths(&schema), [""; 0], "{schema}");
        }
    }
}
