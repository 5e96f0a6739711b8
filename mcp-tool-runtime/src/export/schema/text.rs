//! Keywords that constrain nothing, and words in their place.

use serde_json::Value;

use crate::schema::walk;

/// Removes what no vendor reads: keywords for programs, and the dialect.
pub(super) fn drop_extensions(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        if let Some(keywords) = schema.as_object_mut() {
            keywords.retain(|keyword, _| {
                !keyword.starts_with("x-") && !matches!(keyword.as_str(), "$schema" | "$comment" | "discriminator")
            });
        }
    });
}

/// Removes examples. Returns `true` if there were any.
pub(super) fn drop_examples(schema: &mut Value) -> bool {
    let mut found = false;
    walk::visit_mut(schema, &mut |schema| {
        if let Some(keywords) = schema.as_object_mut() {
            found |= keywords.shift_remove("examples").is_some();
        }
    });
    found
}

/// The annotations that a model does not need.
pub(super) const ANNOTATIONS: [&str; 6] =
    ["title", "deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"];

/// Removes annotations that a strict schema does not support and a model does not need.
pub(super) fn drop_annotations(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        if let Some(keywords) = schema.as_object_mut() {
            keywords.retain(|keyword, _| !ANNOTATIONS.contains(&keyword.as_str()));
        }
    });
}

/// Moves `default` or `examples` into the descriptions.
pub(super) fn describe(schema: &mut Value, keyword: &str) {
    walk::visit_mut(schema, &mut |schema| {
        let Some(value) = schema.as_object_mut().and_then(|keywords| keywords.shift_remove(keyword)) else { return };
        let text = match (keyword, &value) {
            (_, Value::Null) => return,
            ("default", value) => format!("default: {value}"),
            (_, examples) => self::examples(examples),
        };
        add(schema, &text);
    });
}

/// Writes examples in words.
pub(super) fn examples(examples: &Value) -> String {
    let examples: Vec<_> = examples.as_array().into_iter().flatten().map(Value::to_string).collect();
    format!("for example: {}", examples.join(", "))
}

/// Adds words to the description of a schema, in parentheses.
pub(super) fn add(schema: &mut Value, words: &str) {
    let Some(keywords) = schema.as_object_mut() else { return };
    let text = match keywords.get("description").and_then(Value::as_str).map(str::trim_end) {
        Some(text) if !text.is_empty() => format!("{text} ({words})"),
        _ => format!("({words})"),
    };
    keywords.insert("description".to_owned(), text.into());
}
