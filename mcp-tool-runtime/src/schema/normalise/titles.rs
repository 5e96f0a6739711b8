//! Titles and dialects (rule T2).

use serde_json::Value;

use crate::schema::walk::{self, keyword};

/// Drops `$schema` everywhere, the root's `title`, and every nested `title` that only repeats the name of the type.
///
/// schemars gives a nested schema a title only when the author asked for one, by a heading in the documentation or by
/// `#[schemars(title = "…")]`, and that one is kept. The name of the type gets in where a whole root schema
/// was embedded: there it stands beside a `$schema`, or repeats the definition's own key.
///
/// ```
/// # mcp_tool_runtime::__step! { titles:
/// before  {"title": "Args", "$defs": {"Point": {"title": "Point"}, "Line": {"title": "A straight line"}}}
/// after   {"$defs": {"Point": {}, "Line": {"title": "A straight line"}}}
/// # }
/// ```
pub(super) fn titles(schema: &mut Value) {
    own(schema);
    embedded(schema);
}

/// Those of the root and of its definitions.
pub(super) fn own(schema: &mut Value) {
    if let Some(root) = schema.as_object_mut() {
        root.shift_remove("title");
        for (key, definition) in root.get_mut("$defs").and_then(Value::as_object_mut).into_iter().flatten() {
            if definition.get("title").and_then(Value::as_str).is_some_and(|title| is_type_name(title, key))
                && let Some(definition) = definition.as_object_mut()
            {
                definition.shift_remove("title");
            }
        }
    }
}

/// Those of root schemas within the schema, with `$schema`.
pub(super) fn embedded(schema: &mut Value) {
    walk::visit_mut(schema, &mut |schema| {
        if keyword(schema, "$schema").is_some()
            && let Some(schema) = schema.as_object_mut()
        {
            schema.shift_remove("$schema");
            schema.shift_remove("title");
        }
    });
}

/// Of two types with one name, schemars numbers the key of the second.
fn is_type_name(title: &str, key: &str) -> bool {
    key.strip_prefix(title).is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_authors_titles_stay() {
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
    fn a_property_called_title_stays() {
        let schema = json!({ "properties": { "title": { "type": "string" }, "$schema": { "type": "string" } } });
        let mut changed = schema.clone();
        titles(&mut changed);
        assert_eq!(changed, schema);
    }
}
