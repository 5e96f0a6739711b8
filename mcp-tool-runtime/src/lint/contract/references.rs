//! Compares the targets of references in two schemas.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::schema::accepted::conjunction::Schema;
use crate::schema::reference;

/// Returns all references in a schema or in any other value, at every depth.
pub(super) fn below(value: &Value) -> Vec<&str> {
    match value {
        Value::Object(object) => of(object),
        Value::Array(elements) => elements.iter().flat_map(below).collect(),
        _ => Vec::new(),
    }
}

/// The same for a schema as a map of its keywords. It is recursive, since rule T16 limits the depth of schemas.
pub(super) fn of(schema: &Schema) -> Vec<&str> {
    let own = schema.get("$ref").and_then(Value::as_str);
    own.into_iter().chain(schema.values().flat_map(below)).collect()
}

/// Returns the references whose targets differ in the two documents, directly or through other references.
pub(super) fn differing<'a>(inner: &'a Value, outer: &'a Value) -> HashSet<&'a str> {
    let all: HashSet<_> = below(inner).into_iter().chain(below(outer)).collect();
    let same = all.iter().filter_map(|reference| {
        let (one, other) = (reference::resolve(inner, reference)?, reference::resolve(outer, reference)?);
        (one == other).then(|| (*reference, below(one)))
    });
    let same: HashMap<_, _> = same.collect();
    let differs = |reference: &str| !same.contains_key(reference);
    all.into_iter().filter(|reference| differs(reference) || leads_to(reference, &same, differs)).collect()
}

/// Returns `true` if the links lead from a reference to one of those that are looked for.
fn leads_to(from: &str, links: &HashMap<&str, Vec<&str>>, is_found: impl Fn(&str) -> bool) -> bool {
    let (mut seen, mut pending) = (HashSet::new(), vec![from]);
    while let Some(reference) = pending.pop() {
        for next in links.get(reference).into_iter().flatten().copied() {
            if is_found(next) {
                return true;
            }
            if seen.insert(next) {
                pending.push(next);
            }
        }
    }
    false
}
