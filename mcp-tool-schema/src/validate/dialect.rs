//! The versions of JSON Schema that are supported, and what needs the crate `jsonschema`.

use serde_json::Value;

use crate::walk::{self, keyword};

/// A version of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Dialect {
    Draft7,
    Draft2020,
}

impl Dialect {
    /// Returns the dialect that a schema declares. Without a `$schema` it is 2020-12.
    pub(super) fn of(schema: &Value) -> Option<Self> {
        let Some(uri) = keyword(schema, "$schema").and_then(Value::as_str) else { return Some(Self::Draft2020) };
        let uri = uri.strip_suffix('#').unwrap_or(uri);
        match uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))? {
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft2020),
            "json-schema.org/draft-07/schema" => Some(Self::Draft7),
            _ => None,
        }
    }
}

/// Returns what a hand-written schema has that only the feature `jsonschema` supports.
pub fn unsupported(root: &Value) -> Option<String> {
    reason(root).map(|reason| format!("{reason}, or enable the feature `jsonschema`"))
}

fn reason(root: &Value) -> Option<String> {
    let Some(dialect) = Dialect::of(root) else {
        let uri = root["$schema"].as_str().unwrap_or_default();
        return Some(format!("`$schema` is `{uri}`: write the schema for 2020-12 or draft 7"));
    };
    let (mut has_id, mut has_inner_id, mut has_reference, mut found) = (false, false, false, None);
    let mut leading_to_id = None;
    walk::visit(root, &mut |schema| {
        let text = |name| keyword(schema, name).and_then(Value::as_str);
        if text("$id").is_some_and(|id| !id.starts_with('#')) {
            has_id = true;
            has_inner_id |= !std::ptr::eq(schema, root);
        }
        for target in [text("$ref"), text("$dynamicRef")].into_iter().flatten() {
            has_reference = true;
            leading_to_id = leading_to_id.or(Some(target).filter(|target| !target.starts_with('#')));
        }
        if keyword(schema, "$schema").is_some() && Dialect::of(schema) != Some(dialect) {
            found = Some("a part of it has another `$schema`: write all of it for one dialect".to_owned());
        }
    });
    match leading_to_id.filter(|_| has_id) {
        _ if found.is_some() => found,
        Some(target) => Some(format!("the reference `{target}` leads to an `$id`: write it as `#/…`")),
        None if has_inner_id && has_reference => {
            Some("it has references and an `$id` below the root: remove that `$id`".to_owned())
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_not_supported_is_named() {
        let latest = "https://json-schema.org/draft/2020-12/schema";
        for (schema, expected) in [
            (json!({ "$schema": latest, "not": { "$schema": format!("{latest}#") } }), None),
            (json!({ "$schema": "http://json-schema.org/draft-07/schema#" }), None),
            (json!({ "$schema": "https://json-schema.org/draft/2019-09/schema" }), Some("`$schema` is")),
            (json!({ "$schema": "json-schema.org/draft-07/schema" }), Some("`$schema` is")),
            (json!({ "$schema": "https://example.com/schema" }), Some("`$schema` is")),
            (json!({ "$schema": "" }), Some("`$schema` is")),
            (json!({ "not": { "$schema": "http://json-schema.org/draft-07/schema" } }), Some("another `$schema`")),
            (json!({ "$id": "urn:a", "$ref": "#/$defs/a", "$defs": { "a": {} } }), None),
            (json!({ "$id": "urn:a", "$ref": "urn:a#/$defs/a", "$defs": { "a": {} } }), Some("leads to an `$id`")),
            (json!({ "not": { "$id": "urn:a" } }), None),
            (json!({ "not": { "$id": "urn:a" }, "items": { "$ref": "#" } }), Some("an `$id` below the root")),
            (json!({ "not": { "$id": "urn:a" }, "items": { "$dynamicRef": "#" } }), Some("an `$id` below the root")),
            (json!({ "not": { "$id": "urn:a" }, "items": { "$ref": "urn:a" } }), Some("leads to an `$id`")),
            (json!({ "items": { "$ref": "urn:elsewhere" } }), None),
            (json!({ "not": { "$id": "#a" }, "items": { "$ref": "#a" } }), None),
            (json!({ "const": { "$schema": "x", "$id": "a", "$ref": "b" } }), None),
        ] {
            let found = unsupported(&schema);
            let is_expected = match (&found, expected) {
                (Some(found), Some(expected)) => found.contains(expected),
                (found, expected) => found.is_none() && expected.is_none(),
            };
            assert!(is_expected, "{schema}: {found:?}");
        }
    }
}
