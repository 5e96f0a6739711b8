//! Compares the targets of references in two schemas, and finds circular references.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::schema::accepted::conjunction::Schema;
use crate::schema::{reference, walk};

/// Keywords whose schemas apply to the same value as the schema that contains them.
const IN_PLACE: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/// Returns all references in a schema or in any other value, at every depth.
pub(super) fn below(value: &Value) -> Vec<&str> {
    let (mut found, mut pending) = (Vec::new(), vec![value]);
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(object) => {
                found.extend(object.get("$ref").and_then(Value::as_str));
                pending.extend(object.values());
            }
            Value::Array(elements) => pending.extend(elements),
            _ => {}
        }
    }
    found
}

/// The same for a schema as a map of its keywords.
pub(super) fn of(schema: &Schema) -> Vec<&str> {
    let own = schema.get("$ref").and_then(Value::as_str);
    own.into_iter().chain(schema.values().flat_map(below)).collect()
}

/// Returns the references whose targets differ in the two documents, directly or through other references.
pub(super) fn differing<'a>(inner: &'a Value, outer: &'a Value) -> HashSet<&'a str> {
    let (mut differing, mut same) = (HashSet::new(), HashMap::new());
    let all: HashSet<_> = below(inner).into_iter().chain(below(outer)).collect();
    for reference in all {
        match (reference::resolve(inner, reference), reference::resolve(outer, reference)) {
            (Some(one), Some(other)) if one == other => drop(same.insert(reference, below(one))),
            _ => drop(differing.insert(reference)),
        }
    }
    loop {
        let leads_to_difference = |(_, next): &(&&str, &Vec<&str>)| next.iter().any(|next| differing.contains(next));
        let more: Vec<_> = same.iter().filter(leads_to_difference).map(|(reference, _)| *reference).collect();
        if more.is_empty() {
            return differing;
        }
        for reference in more {
            same.remove(reference);
            differing.insert(reference);
        }
    }
}

/// Returns `true` if a reference leads back to itself for the same value, not for a property or an element of it. Such a schema
/// has no meaning.
pub(super) fn are_circular(root: &Value) -> bool {
    let all: HashSet<_> = below(root).into_iter().collect();
    let mut open: HashMap<_, _> = all
        .into_iter()
        .filter_map(|reference| Some((reference, in_place(reference::resolve(root, reference)?))))
        .collect();
    // References that lead to no open reference are not circular. They are removed until only circles are left, and the references
    // that lead to circles.
    loop {
        let before = open.len();
        let ends: Vec<_> = open
            .iter()
            .filter(|(_, next)| !next.iter().any(|next| open.contains_key(next)))
            .map(|(reference, _)| *reference)
            .collect();
        for reference in ends {
            open.remove(reference);
        }
        if open.len() == before {
            return before > 0;
        }
    }
}

/// Returns the references that apply to the same value as the schema.
fn in_place(schema: &Value) -> Vec<&str> {
    let (mut found, mut pending) = (Vec::new(), vec![schema]);
    while let Some(schema) = pending.pop() {
        found.extend(schema.get("$ref").and_then(Value::as_str));
        let children = walk::children(schema).into_iter();
        pending.extend(children.filter(|(place, _)| IN_PLACE.contains(&place.keyword)).map(|(_, child)| child));
    }
    found
}
