//! Counts what makes a schema complex for a vendor that compiles it into a grammar, and finds what a grammar cannot
//! express.

use std::collections::HashMap;

use serde_json::Value;

use crate::schema::normalise::Graph;
use crate::schema::pattern::{self, Event};
use crate::schema::reference::{self, Reference};
use crate::schema::walk;

/// How much a schema counts towards the limits of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Complexity {
    /// The number of properties that are not required.
    pub(crate) optional: usize,
    /// The number of subschemas that are unions or have a list of types.
    pub(crate) unions: usize,
}

impl Complexity {
    /// Counts the optional properties and the unions of a schema. A definition counts once for each reference to it:
    /// the vendor does not say how it counts definitions, and for a schema that is not recursive, this is the highest
    /// possible count.
    pub(crate) fn of(schema: &Value) -> Self {
        count(schema, schema, &mut HashMap::new())
    }

    fn add(&mut self, other: Self) {
        self.optional = self.optional.saturating_add(other.optional);
        self.unions = self.unions.saturating_add(other.unions);
    }
}

/// Counts the optional properties and the unions of `schema`. `known` maps each reference to the count of its
/// definition, and so also ends the recursion of a schema that refers to itself.
fn count<'s>(root: &'s Value, schema: &'s Value, known: &mut HashMap<&'s str, Complexity>) -> Complexity {
    let required: Vec<_> = walk::strings(schema.get("required")).collect();
    let properties = walk::keyword_or_null(schema, "properties").as_object().into_iter().flatten();
    let is_union = ["anyOf", "oneOf"].iter().any(|keyword| walk::keyword(schema, keyword).is_some())
        || walk::keyword(schema, "type").is_some_and(Value::is_array);
    let mut found = Complexity {
        optional: properties.filter(|(name, _)| !required.contains(&name.as_str())).count(),
        unions: usize::from(is_union),
    };
    if let Some(target) = walk::keyword(schema, "$ref").and_then(Value::as_str) {
        if !known.contains_key(target) {
            known.insert(target, Complexity::default());
            let definition = reference::resolve(root, target).map(|definition| count(root, definition, known));
            known.insert(target, definition.unwrap_or_default());
        }
        found.add(known[target]);
    }
    walk::visit_children(schema, |location, child| {
        if !matches!(location.keyword, "$defs" | "definitions") {
            found.add(count(root, child, known));
        }
    });
    found
}

/// Returns the name of a definition that contains itself, directly or through other definitions. Returns `the root` if
/// a reference does not lead to a definition.
pub(crate) fn recursive_definition(root: &Value) -> Option<String> {
    let refers_to_root = |schema: &Value| {
        let target = walk::keyword(schema, "$ref").and_then(Value::as_str).map(Reference::parse);
        target.is_some_and(|target| !matches!(target, Reference::Definition(_) | Reference::Within(..)))
    };
    if walk::any(root, refers_to_root) {
        return Some("the root".to_owned());
    }
    Graph::of(root).recursive_definition().map(str::to_owned)
}

/// Returns why a grammar cannot express a regular expression, or `None` if it can. `most` is the maximum number of
/// repetitions.
pub(crate) fn problem_of_pattern(pattern: &str, most: u32) -> Option<String> {
    pattern::parse(pattern).events.into_iter().find_map(|(_, event)| match event {
        Event::Escape { character: character @ ('b' | 'B'), in_class: false }
        | Event::Escape { character: character @ '0'..='9', .. } => {
            Some(format!("its pattern contains `\\{character}`"))
        }
        Event::LookAround => Some("its pattern looks ahead or behind".to_owned()),
        Event::Repetition(count) if count > most.into() => {
            Some(format!("its pattern repeats something more than {most} times"))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_definition_counts_for_each_reference() {
        let schema = json!({
            "properties": { "a": { "$ref": "#/$defs/A" }, "b": { "$ref": "#/$defs/A" }, "c": { "type": ["string", "null"] } },
            "required": ["a"],
            "$defs": { "A": { "properties": { "x": { "anyOf": [{}, {}] } } }, "Unused": { "properties": { "y": {} } } }
        });
        assert_eq!(Complexity::of(&schema), Complexity { optional: 2 + 2, unions: 1 + 2 });
    }

    #[test]
    fn recursion_is_found_through_other_definitions() {
        let schema = |target: &str| {
            json!({ "$defs": {
                "A": { "items": { "$ref": "#/$defs/B" } },
                "B": { "properties": { "c": { "$ref": "#/$defs/C" } } },
                "C": { "anyOf": [{ "$ref": target }] },
                "D": { "type": "string" }
            } })
        };
        assert_eq!(recursive_definition(&schema("#/$defs/A")), Some("A".to_owned()));
        assert_eq!(recursive_definition(&schema("#/$defs/D")), None);
        assert_eq!(recursive_definition(&json!({ "items": { "$ref": "#" } })), Some("the root".to_owned()));
        assert_eq!(recursive_definition(&json!({ "type": "string" })), None);
    }

    #[test]
    fn patterns_of_a_grammar_are_simple() {
        for pattern in ["^[a-z]{2,9}$", r"\d+\.\d", "[(?=]", "a|b", "[\\b]"] {
            assert_eq!(problem_of_pattern(pattern, 100), None, "{pattern}");
        }
        for pattern in ["(?=a)", "(?<!a)b", r"(a)\1", r"\bword", "a{1,101}"] {
            assert!(problem_of_pattern(pattern, 100).is_some(), "{pattern}");
        }
    }
}
