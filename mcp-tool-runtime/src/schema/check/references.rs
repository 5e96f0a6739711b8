//! Checks that references are local and have a target (rules T3 and T16).

use serde_json::Value;

use super::subschemas::Subschema;
use crate::schema::reference::{self, Reference};
use crate::schema::walk;

/// Returns the errors of every `$ref` and `$dynamicRef`.
pub(super) fn errors(all: &[Subschema<'_>], hand_written: bool) -> Vec<String> {
    let mut errors = Vec::new();
    for subschema in all {
        for keyword in ["$ref", "$dynamicRef"] {
            if let Some(target) = walk::keyword(subschema.schema, keyword).and_then(Value::as_str)
                && let Some(error) = error(target, all, hand_written)
            {
                errors.push(format!("{}: the reference `{target}` {error}", subschema.path(all)));
            }
        }
    }
    errors
}

fn error(target: &str, all: &[Subschema<'_>], hand_written: bool) -> Option<&'static str> {
    match Reference::parse(target) {
        Reference::Remote => Some("is not local, and remote schemas are never fetched: copy the schema under `$defs`"),
        Reference::Root if !hand_written => Some("refers to the root, which clients misread: give the type a name"),
        Reference::Anchor(name)
            if !all.iter().flat_map(|subschema| anchors(subschema.schema)).any(|anchor| anchor == name) =>
        {
            Some("refers to an `$anchor` that is not in this schema")
        }
        Reference::Root | Reference::Anchor(_) => None,
        Reference::Definition(_) | Reference::Within(..) | Reference::Pointer(_) => {
            match reference::resolve(all[0].schema, target) {
                Some(found) if walk::is_schema(found) => None,
                Some(_) => Some("refers to a value that is not a schema"),
                None => Some("refers to a location that is not in this schema"),
            }
        }
    }
}

fn anchors(schema: &Value) -> impl Iterator<Item = &str> {
    let named =
        ["$anchor", "$dynamicAnchor"].into_iter().filter_map(|keyword| walk::keyword(schema, keyword)?.as_str());
    // Draft-07 writes an anchor as `$id`.
    named.chain(walk::keyword(schema, "$id").and_then(Value::as_str).and_then(|id| id.strip_prefix('#')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::check::subschemas::subschemas;
    use serde_json::json;

    fn all_errors(schema: &Value, hand_written: bool) -> Vec<String> {
        errors(&subschemas(schema).expect("a small schema"), hand_written)
    }

    fn errors_with_property(property: Value) -> Vec<String> {
        let mut schema = json!({
            "properties": {
                "there": { "type": "string", "$anchor": "here" }
            },
            "required": ["there"],
            "$defs": { "A": { "items": { "$ref": "#/$defs/A" } }, "a/b": {}, "Loop": { "not": {}, "$ref": "#/$defs/A" } }
        });
        schema["properties"]["tested"] = property;
        all_errors(&schema, true)
    }

    #[test]
    fn references_to_existing_targets_are_accepted() {
        for target in
            ["#/$defs/A", "#/$defs/a~1b", "#/%24defs/A", "#here", "#/properties/there", "#", "#/$defs/A/items"]
        {
            assert_eq!(errors_with_property(json!({ "items": { "$ref": target } })), [""; 0], "{target}");
        }
    }

    #[test]
    fn references_without_a_target_are_refused() {
        for (target, text) in [
            ("https://example.com/a.json", "is not local"),
            ("other.json#/a", "is not local"),
            ("#/$defs/Gone", "not in this schema"),
            ("#/required/0", "not a schema"),
            ("#gone", "refers to an `$anchor`"),
        ] {
            for keyword in ["$ref", "$dynamicRef"] {
                let found = errors_with_property(json!({ keyword: target }));
                assert!(
                    matches!(found.as_slice(), [only] if only.starts_with("`tested`: ") && only.contains(text)),
                    "{target}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn only_hand_written_schemas_may_refer_to_the_root() {
        let schema = json!({ "items": { "$ref": "#" } });
        assert_eq!(all_errors(&schema, true), [""; 0]);
        assert_eq!(all_errors(&schema, false).len(), 1);
    }

    #[test]
    fn a_property_named_ref_is_not_a_reference() {
        assert_eq!(all_errors(&json!({ "properties": { "$ref": { "const": { "$ref": "gone" } } } }), false), [""; 0]);
    }
}
