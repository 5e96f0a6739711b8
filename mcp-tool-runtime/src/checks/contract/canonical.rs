//! The canonical form of schemas and definitions: equal ones have equal text.

use serde_json::{Map, Value};

use crate::schema::walk;

/// Keywords that do not change which values a schema accepts.
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

/// Not a keyword of JSON Schema, but clients must obey it.
pub(super) const HEADER: &str = "x-mcp-header";

/// Returns a schema without the keywords that do not change which values it accepts.
pub(super) fn schema(schema: &Value) -> Value {
    let mut schema = schema.clone();
    walk::visit_mut(&mut schema, &mut |schema| {
        let Some(schema) = schema.as_object_mut() else { return };
        schema.retain(|keyword, _| {
            keyword == HEADER || !(ANNOTATIONS.contains(&keyword.as_str()) || keyword.starts_with("x-"))
        });
        sort_sets(schema);
    });
    sorted(schema)
}

/// Returns a whole definition in canonical order, with all keywords.
pub(super) fn definition(mut definition: Value) -> Value {
    for side in ["inputSchema", "outputSchema"] {
        if let Some(schema) = definition.get_mut(side) {
            walk::visit_mut(schema, &mut |schema| {
                if let Some(schema) = schema.as_object_mut() {
                    sort_sets(schema);
                }
            });
        }
    }
    sorted(definition)
}

/// Sorts the arrays whose order has no meaning.
fn sort_sets(schema: &mut Map<String, Value>) {
    for keyword in ["required", "type"] {
        if let Some(Value::Array(set)) = schema.get_mut(keyword) {
            set.sort_by_cached_key(Value::to_string);
        }
    }
}

/// Sorts every object by its keys. It is recursive, since rule T16 limits the depth of schemas.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut properties: Vec<_> = object.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            properties.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::Object(properties.into_iter().collect())
        }
        Value::Array(elements) => elements.into_iter().map(sorted).collect(),
        scalar => scalar,
    }
}
