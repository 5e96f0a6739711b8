//! Removes `$ref` from a schema, since Open Tool Calling does not have it.

use serde_json::{Map, Value};

use crate::schema::expand::Expansion;
use crate::schema::walk;

/// Replaces each reference by the schema that it refers to. A type that contains itself, or a reference beyond the maximum,
/// is cut to its `type`, `title` and `description`.
pub(super) fn without_references(root: &Value) -> Value {
    let mut schema = root.clone();
    Expansion { most: 2_000, only_described: false, summary: Some(summary) }.apply(&mut schema);
    walk::visit_keywords_mut(&mut schema, &mut |keywords| {
        for keyword in ["$defs", "definitions", "$schema"] {
            keywords.shift_remove(keyword);
        }
    });
    schema
}

/// Returns the `type`, `title` and `description` of a schema.
fn summary(schema: &Value) -> Value {
    let keywords = schema.as_object().into_iter().flatten();
    let kept = keywords.filter(|(key, _)| ["type", "title", "description"].contains(&key.as_str()));
    Value::Object(kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>())
}
