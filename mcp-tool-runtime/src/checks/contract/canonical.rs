//! Documents in one form, so that equal ones have equal text.

use serde_json::{Map, Value};

use crate::schema::walk;

/// What a schema says to people, and what is used only where a member is left out.
const ANNOTATIONS: [&str; 10] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "contentMediaType",
    "contentEncoding",
];

/// What is no keyword of JSON Schema, and asks something of clients all the same.
pub(super) const HEADER: &str = "x-mcp-header";

/// A schema without what changes nothing of what it admits.
pub(super) fn schema(schema: &Value) -> Value {
    let mut schema = schema.clone();
    walk::visit_mut(&mut schema, &mut |part| {
        let Some(part) = part.as_object_mut() else { return };
        part.retain(|keyword, _| {
            keyword == HEADER || !(ANNOTATIONS.contains(&keyword.as_str()) || keyword.starts_with("x-"))
        });
        sort_sets(part);
    });
    sorted(schema)
}

/// A whole definition, in which only the order of keys and of sets is let go.
pub(super) fn definition(mut definition: Value) -> Value {
    for side in ["inputSchema", "outputSchema"] {
        if let Some(schema) = definition.get_mut(side) {
            walk::visit_mut(schema, &mut |part| {
                if let Some(part) = part.as_object_mut() {
                    sort_sets(part);
                }
            });
        }
    }
    sorted(definition)
}

/// The lists whose order means nothing.
fn sort_sets(schema: &mut Map<String, Value>) {
    for keyword in ["required", "type"] {
        if let Some(Value::Array(set)) = schema.get_mut(keyword) {
            set.sort_by_cached_key(Value::to_string);
        }
    }
}

/// Every object by its keys. Recursive: for schemas within the bounds of rule T16.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::Object(members.into_iter().collect())
        }
        Value::Array(elements) => elements.into_iter().map(sorted).collect(),
        scalar => scalar,
    }
}
