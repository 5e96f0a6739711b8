//! Keywords that constrain nothing, and words in their place.

use serde_json::Value;

use crate::schema::walk;

/// Removes keywords for programs: `x-…` and `$comment`.
pub(super) fn drop_extensions(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        if let Some(keywords) = schema.as_object_mut() {
            keywords.retain(|keyword, _| !keyword.starts_with("x-") && keyword != "$comment");
        }
    });
}

/// Removes annotations that a strict schema does not support and a model does not need.
pub(super) fn drop_annotations(schema: &mut Value) {
    const ANNOTATIONS: [&str; 7] =
        ["$schema", "title", "deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"];
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
            (_, Value::Array(examples)) => {
                let examples: Vec<_> = examples.iter().map(Value::to_string).collect();
                format!("for example: {}", examples.join(", "))
            }
            _ => return,
        };
        add(schema, &text);
    });
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
