//! Answers whether the input schema publishes a property at a path.

use std::collections::HashSet;

use serde_json::Value;

use crate::json::path::{Path, Step};
use crate::schema::reference::follow;
use crate::schema::walk::keyword_or_null;

/// Returns `true` if some schema for `path` lists its last step under `properties`.
///
/// A key of a map is accepted through `additionalProperties`. It is the caller's own name, and not published.
pub(super) fn is_published(root: &Value, path: &Path) -> bool {
    let Some((Step::Key(name), parents)) = path.steps().split_last() else { return false };
    let schemas = schemas_at(root, parents);
    schemas.iter().any(|schema| keyword_or_null(schema, "properties").get(&**name).is_some())
}

/// Returns the properties that a schema lists.
pub(super) fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    keyword_or_null(schema, "properties").as_object().into_iter().flatten()
}

/// Returns all schemas that may describe the value at a path.
pub(super) fn schemas_of<'s>(root: &'s Value, path: &Path) -> Vec<&'s Value> {
    schemas_at(root, path.steps())
}

fn schemas_at<'s>(root: &'s Value, steps: &[Step]) -> Vec<&'s Value> {
    steps.iter().fold(applicable(vec![root], root), |schemas, step| schemas_inside(&schemas, step, root))
}

/// Returns all schemas that may describe the value one step inside a value.
pub(super) fn schemas_inside<'s>(schemas: &[&'s Value], step: &Step, root: &'s Value) -> Vec<&'s Value> {
    let inner = schemas.iter().flat_map(|schema| match step {
        Step::Key(key) => {
            [&keyword_or_null(schema, "properties")[&**key], keyword_or_null(schema, "additionalProperties")]
        }
        Step::Index(index) => [&keyword_or_null(schema, "prefixItems")[*index], keyword_or_null(schema, "items")],
    });
    applicable(inner.collect(), root)
}

/// Returns the schemas and all that they combine by `$ref`, `allOf`, `anyOf` and `oneOf`, each once.
pub(super) fn applicable<'s>(schemas: Vec<&'s Value>, root: &'s Value) -> Vec<&'s Value> {
    applicable_without(schemas, root, &mut HashSet::new())
}

/// The same, without the schemas in `seen`, to which those that are returned are added.
pub(super) fn applicable_without<'s>(
    mut pending: Vec<&'s Value>,
    root: &'s Value,
    seen: &mut HashSet<*const Value>,
) -> Vec<&'s Value> {
    let mut found = Vec::new();
    while let Some(schema) = pending.pop() {
        let schema = follow(schema, root);
        if schema.is_object() && seen.insert(schema) {
            found.push(schema);
            let combined =
                ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|name| keyword_or_null(schema, name).as_array());
            pending.extend(combined.flatten());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_that_contains_itself_is_searched_once() {
        let schema = json!({ "anyOf": [{ "$ref": "#" }, { "properties": { "a": { "$ref": "#" } } }] });
        let path = Path::default().property("a");
        assert!(is_published(&schema, &path) && is_published(&schema, &path.property("a")));
        assert!(!is_published(&schema, &path.property("b")));
    }
}
