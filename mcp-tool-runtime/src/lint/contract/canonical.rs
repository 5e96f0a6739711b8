//! The canonical form of schemas: equal ones have equal text.

use serde_json::{Map, Value};

use crate::json::number::Numeral;
use crate::lint::limits::Keywords;
use crate::schema::accepted::Types;
use crate::schema::walk;

/// Keywords that do not change which values a schema accepts.
const ANNOTATIONS: Keywords = &[
    &["title", "description", "default", "examples", "deprecated"],
    &["readOnly", "writeOnly", "$comment", "contentMediaType"],
];

/// Not a keyword of JSON Schema, but clients must obey it.
pub(super) const HEADER: &str = "x-mcp-header";

/// Returns a schema without the keywords that do not change which values it accepts.
pub(super) fn schema(schema: &Value) -> Value {
    let mut schema = schema.clone();
    walk::visit_keywords_mut(&mut schema, &mut |schema| {
        schema.retain(|keyword, _| keyword == HEADER || !is_annotation(keyword));
        sort_sets(schema);
        list_constants(schema);
    });
    sorted(schema)
}

fn is_annotation(keyword: &str) -> bool {
    ANNOTATIONS.iter().any(|group| group.contains(&keyword)) || keyword.starts_with("x-")
}

/// Writes a union of constants as an `enum`. A documented enum is one or the other, depending on its documentation.
fn list_constants(schema: &mut Map<String, Value>) {
    for keyword in ["oneOf", "anyOf"] {
        if schema.contains_key("enum") || schema.contains_key("const") {
            return;
        }
        let branches = schema.get(keyword).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let Some(values) = branches.iter().map(constants).collect::<Option<Vec<_>>>() else { continue };
        let values: Vec<_> = values.into_iter().flatten().cloned().collect();
        // A `oneOf` refuses a value that is in two of its branches.
        let is_new = |at: usize| !values[..at].contains(&values[at]);
        // Not floats or lists: `1` and `1.0` are the same value.
        let is_plain = |value: &Value| value.is_string() || value.is_i64() || value.is_u64();
        if !values.is_empty() && values.iter().all(is_plain) && (0..values.len()).all(is_new) {
            schema.shift_remove(keyword);
            schema.insert("enum".to_owned(), values.into());
        }
    }
}

/// Returns the values of a schema that has only `const` or `enum`, and perhaps the type of these values.
fn constants(schema: &Value) -> Option<Vec<&Value>> {
    let schema = schema.as_object()?;
    let values: Vec<_> = match (schema.get("const"), schema.get("enum").and_then(Value::as_array)) {
        (Some(only), None) => vec![only],
        (None, Some(values)) => values.iter().collect(),
        _ => return None,
    };
    let types = Types::of_keyword(schema.get("type"));
    // The annotations of a branch are still there: a schema is visited before its branches.
    let has_more =
        schema.keys().any(|keyword| !["const", "enum", "type"].contains(&keyword.as_str()) && !is_annotation(keyword));
    (!has_more && values.iter().all(|value| Types::of_value(value).is_within(types))).then_some(values)
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
        // `1.0` and `1` are the same number.
        Value::Number(number) => {
            let integer = Numeral::from(&number).to_integer();
            Value::Number(integer.map_or(number, Numeral::to_json))
        }
        scalar => scalar,
    }
}
