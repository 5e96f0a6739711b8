//! Finds schemas that apply themselves to the same value (rule T16).
//!
//! The specification defines no result for such a schema, and most validators overflow their stack. So does serde, when it reads an
//! untagged enum whose variant holds the enum itself.

use serde_json::Value;
use std::collections::HashMap;

use super::subschemas::Subschema;
use crate::schema::reference;
use crate::schema::walk;

/// The keywords that apply a schema to the value itself, rather than to a part of it.
const IN_PLACE: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/// The keywords that apply the schema of another place.
const REFERENCES: [&str; 2] = ["$ref", "$dynamicRef"];

/// Returns an error for each subschema that applies a schema which is being applied to the same value already.
pub(super) fn errors(root: &Value, all: &[Subschema<'_>], hand_written: bool) -> Vec<String> {
    let instead = if hand_written {
        "apply it to a property or an element"
    } else {
        "a type cannot hold itself without a field between; instead of an untagged variant `Not(Box<Self>)`, write \
         `Not { not: Box<Self> }`"
    };
    let indices = all.iter().enumerate().map(|(at, subschema)| (address(subschema.schema), at)).collect();
    let mut search = Search { root, all, indices, states: HashMap::new(), found: Vec::new() };
    for at in 0..all.len() {
        search.follow(at);
    }
    let message = |at: &usize| {
        format!("{}: the schema applies itself to the same value, which never ends: {instead}", all[*at].path(all))
    };
    search.found.iter().map(message).collect()
}

fn address(schema: &Value) -> usize {
    std::ptr::from_ref(schema).addr()
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// The schema is being applied.
    Open,
    Done,
}

struct Search<'s> {
    root: &'s Value,
    all: &'s [Subschema<'s>],
    /// The indices of the subschemas, by address.
    indices: HashMap<usize, usize>,
    /// The states of the schemas, by address.
    states: HashMap<usize, State>,
    /// The last subschema of each cycle.
    found: Vec<usize>,
}

/// A schema that is being applied.
struct Step<'s> {
    schema: &'s Value,
    /// The schemas that it applies and that are not followed yet.
    next: Vec<&'s Value>,
    /// The index of the schema, or of the last subschema before it. A reference can lead to a place that is not a subschema.
    at: usize,
}

impl<'s> Search<'s> {
    /// Follows everything that a subschema applies to the same value. Not recursive, because chains can have any length.
    fn follow(&mut self, at: usize) {
        let first = self.all[at].schema;
        if self.states.contains_key(&address(first)) {
            return;
        }
        let mut steps = vec![self.step(first, at)];
        while let Some(step) = steps.last_mut() {
            let at = step.at;
            let Some(next) = step.next.pop() else {
                self.states.insert(address(step.schema), State::Done);
                steps.pop();
                continue;
            };
            match self.states.get(&address(next)) {
                Some(State::Done) => {}
                Some(State::Open) => self.found.push(at),
                None => {
                    let step = self.step(next, at);
                    steps.push(step);
                }
            }
        }
    }

    fn step(&mut self, schema: &'s Value, before: usize) -> Step<'s> {
        self.states.insert(address(schema), State::Open);
        let at = self.indices.get(&address(schema)).copied();
        let target = |keyword| reference::resolve(self.root, walk::keyword(schema, keyword)?.as_str()?);
        let mut next: Vec<_> = REFERENCES.into_iter().filter_map(target).collect();
        walk::visit_children(schema, |location, child| {
            if IN_PLACE.contains(&location.keyword) {
                next.push(child);
            }
        });
        next.reverse();
        Step { schema, next, at: at.unwrap_or(before) }
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
