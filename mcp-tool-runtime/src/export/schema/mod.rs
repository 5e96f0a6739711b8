//! Rewrites an input schema into the dialect of a vendor.
//!
//! No step makes a schema accept more values, except by dropping constraints that are reported as [`Unstated`].
//! Afterwards, [`lint`](crate::lint) checks the limits of the vendor.
//!
//! [`mod@prepare`] has the first steps, which apply to every vendor. [`mod@strict`] has the steps to a strict schema,
//! and [`gemini`] has those of a single vendor. Steps that several of these use are here.

mod gemini;
mod prepare;
mod strict;

pub(super) use prepare::{Prepared, Renamed, prepare};
use serde_json::{Value, json};
pub(super) use strict::strict;

use crate::export::Vendor;
use crate::schema::accepted::{Types, is_never};
use crate::schema::walk::{self, has_type, keyword, keyword_or_null};

/// A constraint that only a description mentions: a JSON pointer to the subschema, and the keyword.
pub(super) type Unstated = (String, String);

/// Rewrites a schema for a tool that is not strict. Adds lost constraints to `unstated`.
pub(super) fn plain(vendor: Vendor, prepared: &Prepared, unstated: &mut Vec<Unstated>) -> Value {
    let mut schema = prepared.schema.clone();
    if vendor == Vendor::Gemini {
        gemini::say_in_words(&mut schema, "", unstated);
    }
    add_required(&mut schema);
    add_properties(&mut schema, vendor.is_open_ai());
    match vendor {
        Vendor::OpenAiResponses | Vendor::OpenAiChat => add_items(&mut schema),
        Vendor::Gemini => gemini::rewrite(&mut schema),
        Vendor::Anthropic | Vendor::Bedrock => {}
    }
    schema
}

/// Annotations that are of no use to a model.
const ANNOTATIONS: [&str; 6] = ["title", "deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"];

/// Removes keywords. Returns `true` if there were any.
fn drop_keywords(schema: &mut Value, is_dropped: impl Fn(&str) -> bool) -> bool {
    let mut found = false;
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let before = keywords.len();
        keywords.retain(|keyword, _| !is_dropped(keyword));
        found |= keywords.len() < before;
    });
    found
}

/// Writes examples in words.
fn examples(examples: &Value) -> String {
    let examples: Vec<_> = examples.as_array().into_iter().flatten().map(Value::to_string).collect();
    format!("for example: {}", examples.join(", "))
}

/// Adds words to the description of a schema, in parentheses.
fn add_words(schema: &mut Value, words: &str) {
    let Some(keywords) = schema.as_object_mut() else { return };
    let text = match keywords.get("description").and_then(Value::as_str).map(str::trim_end) {
        Some(text) if !text.is_empty() => format!("{text} ({words})"),
        _ => format!("({words})"),
    };
    keywords.insert("description".to_owned(), text.into());
}

/// Lists each required name as a property, with the schema that applies to it anyway. A closed object does not accept
/// such names.
fn add_required(schema: &mut Value) {
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let names: Vec<_> = keywords.get("required").and_then(Value::as_array).into_iter().flatten().cloned().collect();
        let rest = match keywords.get("additionalProperties") {
            Some(rest) if is_never(rest) => return,
            Some(rest @ Value::Object(_)) => rest.clone(),
            _ => json!({}),
        };
        if names.is_empty() || keywords.get("unevaluatedProperties").is_some_and(is_never) {
            return;
        }
        let properties = keywords.entry("properties").or_insert_with(|| json!({}));
        let Some(properties) = properties.as_object_mut() else { return };
        for name in names.iter().filter_map(Value::as_str) {
            if !properties.contains_key(name) {
                properties.insert(name.to_owned(), rest.clone());
            }
        }
    });
}

/// Adds empty `properties` where they are missing: on the root, or on every object.
fn add_properties(schema: &mut Value, on_each: bool) {
    let mut is_root = true;
    walk::visit_mut(schema, &mut |schema| {
        if (is_root || on_each) && has_type(schema, "object") && keyword(schema, "properties").is_none() {
            schema["properties"] = json!({});
        }
        is_root = false;
    });
}

/// Adds `items` that accept anything where they are missing.
fn add_items(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        if has_type(schema, "array") && keyword(schema, "items").is_none() {
            schema["items"] = json!({});
        }
    });
}

/// Adds the missing `type` to an `enum` or a `const`.
fn add_types_of_values(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        let values = match (keyword(schema, "const"), keyword_or_null(schema, "enum")) {
            (Some(value), _) => vec![value],
            (None, Value::Array(values)) => values.iter().collect(),
            _ => return,
        };
        let mut kinds: Vec<_> = values.into_iter().map(|value| Types::of_value(value).name()).collect();
        kinds.dedup();
        if let ([kind], None) = (kinds.as_slice(), keyword(schema, "type"))
            && let Some(keywords) = schema.as_object_mut()
        {
            keywords.shift_insert(0, "type".to_owned(), (*kind).into());
        }
    });
}

/// Moves a reference with other keywords beside it into a union with one branch.
fn wrap_references(schema: &mut Value) {
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let is_wrapped = keywords.len() > 1 && !keywords.contains_key("anyOf") && !keywords.contains_key("$defs");
        if is_wrapped && let Some(target) = keywords.shift_remove("$ref") {
            keywords.insert("anyOf".to_owned(), json!([{ "$ref": target }]));
        }
    });
}
