//! What the references of two schemas say, and whether they come to an end.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::conjunction::Schema;
use crate::schema::{reference, walk};

/// Keywords whose schemas speak of the same value as the schema that they stand in.
const IN_PLACE: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/// The references in a value, its own included.
pub(super) fn below(value: &Value) -> Vec<&str> {
    let (mut found, mut pending) = (Vec::new(), vec![value]);
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str));
                pending.extend(members.values());
            }
            Value::Array(elements) => pending.extend(elements),
            _ => {}
        }
    }
    found
}

/// [`below`], of a schema that is an object.
pub(super) fn of(schema: &Schema) -> Vec<&str> {
    let own = schema.get("$ref").and_then(Value::as_str);
    own.into_iter().chain(schema.values().flat_map(below)).collect()
}

/// The references that do not lead to the same in both documents, at once or by way of others.
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
        let leads_there = |(_, next): &(&&str, &Vec<&str>)| next.iter().any(|next| differing.contains(next));
        let more: Vec<_> = same.iter().filter(leads_there).map(|(reference, _)| *reference).collect();
        if more.is_empty() {
            return differing;
        }
        for reference in more {
            same.remove(reference);
            differing.insert(reference);
        }
    }
}

/// Whether a reference leads back to itself without a step into the value. Such a schema says nothing.
pub(super) fn go_in_circles(root: &Value) -> bool {
    let all: HashSet<_> = below(root).into_iter().collect();
    let mut open: HashMap<_, _> = all
        .into_iter()
        .filter_map(|reference| Some((reference, in_place(reference::resolve(root, reference)?))))
        .collect();
    // Those that lead to no open one come to an end.
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

/// The references that speak of the same value as the schema.
fn in_place(schema: &Value) -> Vec<&str> {
    let (mut found, mut pending) = (Vec::new(), vec![schema]);
    while let Some(schema) = pending.pop() {
        found.extend(schema.get("$ref").and_then(Value::as_str));
        let children = walk::children(schema).into_iter();
        pending.extend(children.filter(|(place, _)| IN_PLACE.contains(&place.keyword)).map(|(_, child)| child));
    }
    found
}
