//! The dialect of the Gemini API.
//!
//! Two constraints are lost, and reported: the format of a string, and the names of a map's keys.

use serde_json::{Value, json};

use super::text;
use super::unions::{add_types_of_values, wrap_references};
use super::{InWords, objects};
use crate::json::json_pointer::escape_token;
use crate::schema::accepted::is_never;
use crate::schema::walk::{self, Position, keyword};

pub(super) fn rewrite(schema: &mut Value, in_words: &mut Vec<InWords>) {
    say_in_words(schema, "", in_words);
    walk::visit_mut(schema, &mut |schema| {
        let Some(keywords) = schema.as_object_mut() else { return };
        keywords.retain(|keyword, _| !matches!(keyword.as_str(), "$schema" | "title" | "examples"));
        if keywords.get("additionalProperties").is_some_and(is_never) {
            keywords.insert("additionalProperties".to_owned(), false.into());
        }
        close_bounds(schema);
        split_types(schema);
    });
    add_types_of_values(schema);
    walk::visit_mut(schema, &mut |schema| {
        let Some(keywords) = schema.as_object_mut() else { return };
        if let Some(value) = keywords.shift_remove("const") {
            keywords.insert("enum".to_owned(), json!([value]));
        }
    });
    objects::add_items(schema);
    wrap_references(schema);
}

/// Moves constraints that the vendor refuses into the description. Recursive: the depth of a schema is limited.
fn say_in_words(schema: &mut Value, pointer: &str, in_words: &mut Vec<InWords>) {
    let is_text = |keywords: &serde_json::Map<String, Value>| {
        keywords.get("type").is_none_or(|kind| kind == "string" || kind.is_array())
    };
    let taken = schema.as_object_mut().map(|keywords| {
        let format = if is_text(keywords) { keywords.shift_remove("format") } else { None };
        (format, keywords.shift_remove("propertyNames"))
    });
    let (format, names) = taken.unwrap_or_default();
    if let Some(format) = format.as_ref().and_then(Value::as_str) {
        text::add(schema, &format!("format: {format}"));
        in_words.push((pointer.to_owned(), "format"));
    }
    if let Some(names) = names {
        text::add(schema, &format!("schema of the keys: {names}"));
        in_words.push((pointer.to_owned(), "propertyNames"));
    }
    walk::visit_children_mut(schema, |location, child| {
        let keyword = location.keyword;
        let pointer = match location.position {
            Position::Single => format!("{pointer}/{keyword}"),
            Position::Named(name) => format!("{pointer}/{keyword}/{}", escape_token(name)),
            Position::Index(index) => format!("{pointer}/{keyword}/{index}"),
        };
        say_in_words(child, &pointer, in_words);
    });
}

/// Writes an exclusive bound as the next number that it accepts.
fn close_bounds(schema: &mut Value) {
    let is_integer = keyword(schema, "type").is_some_and(|kind| kind == "integer");
    let Some(keywords) = schema.as_object_mut() else { return };
    for (exclusive, inclusive, up) in [("exclusiveMinimum", "minimum", true), ("exclusiveMaximum", "maximum", false)] {
        let Some(bound) = keywords.shift_remove(exclusive) else { continue };
        let next = match (bound.as_i64(), bound.as_f64()) {
            (Some(bound), _) if is_integer => json!(if up { bound.saturating_add(1) } else { bound.saturating_sub(1) }),
            (None, Some(bound)) if is_integer => json!(if up { bound.floor() + 1.0 } else { bound.ceil() - 1.0 }),
            (_, Some(bound)) => json!(if up { bound.next_up() } else { bound.next_down() }),
            (_, None) => continue,
        };
        let is_narrower = |other: &Value| match (next.as_f64(), other.as_f64()) {
            (Some(next), Some(other)) => {
                if up {
                    next > other
                } else {
                    next < other
                }
            }
            _ => true,
        };
        if keywords.get(inclusive).is_none_or(is_narrower) {
            keywords.insert(inclusive.to_owned(), next);
        }
    }
}

/// Writes a list of types as a union.
fn split_types(schema: &mut Value) {
    let Some(keywords) = schema.as_object_mut() else { return };
    if !keywords.get("type").is_some_and(Value::is_array) {
        return;
    }
    let Some(Value::Array(kinds)) = keywords.shift_remove("type") else { return };
    if let [only] = kinds.as_slice() {
        keywords.insert("type".to_owned(), only.clone());
        return;
    }
    let branches = match keywords.get_mut("anyOf") {
        None => kinds.iter().map(|kind| json!({ "type": kind })).collect(),
        // A branch for each type and each branch of the union that does not name its own.
        Some(branches) => {
            let split = |branch: &Value| match keyword(branch, "type") {
                Some(_) => vec![branch.clone()],
                None => kinds.iter().filter_map(|kind| with_type(branch, kind)).collect(),
            };
            branches.as_array().into_iter().flatten().flat_map(split).collect()
        }
    };
    keywords.insert("anyOf".to_owned(), Value::Array(branches));
}

fn with_type(branch: &Value, kind: &Value) -> Option<Value> {
    let mut branch = branch.as_object()?.clone();
    branch.insert("type".to_owned(), kind.clone());
    Some(Value::Object(branch))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(mut schema: Value) -> Value {
        rewrite(&mut schema, &mut Vec::new());
        schema
    }

    #[test]
    fn refused_keywords_are_said_in_another_way() {
        for (before, expected) in [
            (json!({ "const": "a" }), json!({ "type": "string", "enum": ["a"] })),
            (
                json!({ "type": ["string", "null"], "minLength": 1 }),
                json!({ "minLength": 1, "anyOf": [{ "type": "string" }, { "type": "null" }] }),
            ),
            (
                json!({ "type": "integer", "exclusiveMinimum": 0, "minimum": -5 }),
                json!({ "type": "integer", "minimum": 1 }),
            ),
            (
                json!({ "type": "number", "exclusiveMaximum": 1.0 }),
                json!({ "type": "number", "maximum": 1.0_f64.next_down() }),
            ),
            (json!({ "type": "string", "title": "T", "examples": ["a"] }), json!({ "type": "string" })),
            (
                json!({ "type": "string", "format": "date", "description": "When." }),
                json!({ "type": "string", "description": "When. (format: date)" }),
            ),
        ] {
            assert_eq!(rewritten(before.clone()), expected, "{before}");
        }
    }

    #[test]
    fn what_is_said_in_words_is_reported() {
        let mut in_words = Vec::new();
        let mut schema =
            json!({ "properties": { "a/b": { "type": "string", "format": "uuid" }, "format": { "type": "string" } } });
        rewrite(&mut schema, &mut in_words);
        assert_eq!(in_words, [("/properties/a~1b".to_owned(), "format")]);
    }
}
