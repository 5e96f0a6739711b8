//! Answers whether the input schema publishes a property at a path.

use std::collections::HashSet;

use serde_json::Value;

use crate::json::path::{Path, Step};
use crate::schema::reference::resolve;
use crate::schema::walk::keyword_or_null;

/// Returns `true` if some schema for `path` lists its last step under `properties`.
///
/// A key of a map is accepted through `additionalProperties`. It is the caller's own name, and not published.
pub(super) fn is_published(root: &Value, path: &Path) -> bool {
    let Some((Step::Key(name), parents)) = path.steps().split_last() else { return false };
    publish(&schemas_at(root, parents), name)
}

/// Returns `true` if one of the schemas lists a property.
pub(super) fn publish(schemas: &[&Value], name: &str) -> bool {
    schemas.iter().any(|schema| keyword_or_null(schema, "properties").get(name).is_some())
}

/// Returns the properties that a schema lists.
pub(super) fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    keyword_or_null(schema, "properties").as_object().into_iter().flatten()
}

/// Returns all schemas that may describe the value to which the steps lead.
pub(super) fn schemas_at<'s>(root: &'s Value, steps: &[Step]) -> Vec<&'s Value> {
    let schemas = applicable(vec![root], root, &mut HashSet::new());
    steps.iter().fold(schemas, |schemas, step| schemas_inside(&schemas, step, root))
}

/// Returns all schemas that may describe the value one step inside a value.
pub(super) fn schemas_inside<'s>(schemas: &[&'s Value], step: &Step, root: &'s Value) -> Vec<&'s Value> {
    let inner = schemas.iter().flat_map(|schema| match step {
        Step::Key(key) => {
            [&keyword_or_null(schema, "properties")[&**key], keyword_or_null(schema, "additionalProperties")]
        }
        Step::Index(index) => [&keyword_or_null(schema, "prefixItems")[*index], keyword_or_null(schema, "items")],
    });
    applicable(inner.collect(), root, &mut HashSet::new())
}

/// Returns the schemas and all that they combine by `$ref`, `allOf`, `anyOf` and `oneOf`, each once and without those in `seen`.
pub(super) fn applicable<'s>(
    mut pending: Vec<&'s Value>,
    root: &'s Value,
    seen: &mut HashSet<*const Value>,
) -> Vec<&'s Value> {
    let mut found = Vec::new();
    while let Some(schema) = pending.pop() {
        if schema.is_object() && seen.insert(schema) {
            found.push(schema);
            let target = keyword_or_null(schema, "$ref").as_str();
            pending.extend(target.and_then(|target| resolve(root, target)));
            let unions = ["allOf", "anyOf", "oneOf"].map(|name| keyword_or_null(schema, name).as_array());
            pending.extend(unions.into_iter().flatten().flatten());
        }
    }
    found
}
