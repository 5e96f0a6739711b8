//! Keywords that constrain nothing, and words in their place.

use serde_json::Value;

use crate::schema::walk;

/// The annotations that a model does not need.
pub(super) const ANNOTATIONS: [&str; 6] =
    ["title", "deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"];

/// Removes keywords. Returns `true` if there were any.
pub(super) fn drop_keywords(schema: &mut Value, is_dropped: impl Fn(&str) -> bool) -> bool {
    let mut found = false;
    walk::visit_keywords_mut(schema, &mut |keywords| {
        let before = keywords.len();
        keywords.retain(|keyword, _| !is_dropped(keyword));
        found |= keywords.len() < before;
    });
    found
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
