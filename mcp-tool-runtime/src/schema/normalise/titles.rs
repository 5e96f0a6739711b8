//! Removes the titles that only repeat a type name (rule T2).

use serde_json::Value;

use crate::schema::walk;

/// Removes every `$schema`, the `title` of the root, and every nested `title` that only repeats the name of the type.
///
/// Any other title stays: the author wrote it, as a heading in the documentation or with `#[schemars(title = "…")]`. A
/// title counts as a type name if it is next to a `$schema`, as in an embedded root schema, or equal to the key of its
/// definition.
///
/// ```text
/// before  {"title": "Args", "$defs": {"Point": {"title": "Point"}, "Line": {"title": "A straight line"}}}
/// after   {"$defs": {"Point": {}, "Line": {"title": "A straight line"}}}
/// ```
pub(super) fn titles(schema: &mut Value) {
    if let Some(root) = schema.as_object_mut() {
        root.shift_remove("title");
        for (key, definition) in root.get_mut("$defs").and_then(Value::as_object_mut).into_iter().flatten() {
            if let Some(definition) = definition.as_object_mut()
                && definition.get("title").and_then(Value::as_str).is_some_and(|title| is_type_name(title, key))
            {
                definition.shift_remove("title");
            }
        }
    }
    walk::visit_keywords_mut(schema, &mut |keywords| {
        if keywords.shift_remove("$schema").is_some() {
            keywords.shift_remove("title");
        }
    });
}

/// Returns `true` if the key is the title, perhaps followed by a number: if two types have the same name, schemars
/// numbers the second.
pub(super) fn is_type_name(title: &str, key: &str) -> bool {
    key.strip_prefix(title).is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_titles_written_by_the_author_stay() {
        let mut schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Args",
            "properties": {
                "embedded": { "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Thing" },
                "headed": { "title": "A heading" }
            },
            "$defs": { "Point": { "title": "Point" }, "Point2": { "title": "Point" }, "Line": { "title": "A line" } }
        });
        titles(&mut schema);
        assert_eq!(
            schema,
            json!({
                "properties": { "embedded": {}, "headed": { "title": "A heading" } },
                "$defs": { "Point": {}, "Point2": {}, "Line": { "title": "A line" } }
            })
        );
    }

    #[test]
    fn a_property_named_title_stays() {
        let schema = json!({ "properties": { "title": { "type": "string" }, "$schema": { "type": "string" } } });
        let mut changed = schema.clone();
        titles(&mut changed);
        assert_eq!(changed, schema);
    }
}
