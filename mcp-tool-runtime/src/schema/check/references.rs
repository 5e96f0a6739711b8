//! Checks that references are local and have a target (rules T3 and T16).

use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt as _, HashSet};
use serde_json::Value;

use super::subschemas::Subschema;
use crate::schema::reference::{self, Reference};
use crate::schema::walk;

/// Returns the errors of every `$ref` and `$dynamicRef`.
pub(super) fn errors(root: &Value, all: &[Subschema<'_>], hand_written: bool) -> Vec<String> {
    let anchors: BTreeSet<&str> = all.iter().flat_map(|subschema| anchors(subschema.schema)).collect();
    let circular = circular(root, all);
    let mut errors = Vec::new();
    for subschema in all {
        for keyword in ["$ref", "$dynamicRef"] {
            if let Some(target) = walk::keyword(subschema.schema, keyword).and_then(Value::as_str)
                && let Some(error) = error(target, subschema, &anchors, hand_written)
            {
                errors.push(format!("{}: the reference `{target}` {error}", subschema.path(all)));
            }
        }
        if circular.contains(&std::ptr::from_ref(subschema.schema).addr()) {
            errors.push(format!(
                "{}: the reference leads back to itself: write the schema of the value",
                subschema.path(all)
            ));
        }
    }
    errors
}

fn error(target: &str, from: &Subschema<'_>, anchors: &BTreeSet<&str>, hand_written: bool) -> Option<&'static str> {
    match Reference::parse(target) {
        Reference::Remote => Some("is not local, and remote schemas are never fetched: copy the schema under `$defs`"),
        Reference::Root if !hand_written => Some("refers to the root, which clients misread: give the type a name"),
        Reference::Anchor(name) if !anchors.contains(name) => Some("refers to an `$anchor` that is not in this schema"),
        Reference::Root | Reference::Anchor(_) => None,
        Reference::Definition(_) | Reference::Within(_) | Reference::Pointer(_) => {
            match reference::resolve(from.resource, target) {
                Some(found) if found.is_object() || found.is_boolean() => None,
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

/// Returns the addresses of the schemas whose references lead to a circle of references. A validator would loop forever.
fn circular(root: &Value, all: &[Subschema<'_>]) -> HashSet<usize> {
    let address = |schema: &Value| std::ptr::from_ref(schema).addr();
    let mut schemas: Vec<_> =
        all.iter().filter(|from| std::ptr::eq(from.resource, root)).map(|from| from.schema).collect();
    let mut known: HashSet<_> = schemas.iter().map(|schema| address(schema)).collect();
    // The number of references of each schema that may still lead to a circle, and the schemas that refer to it.
    let mut counts: HashMap<usize, usize> = HashMap::new();
    let mut users: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut next = 0;
    while let Some(schema) = schemas.get(next).copied() {
        next += 1;
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let text = walk::keyword(schema, keyword).and_then(Value::as_str);
            let Some(target) = text.and_then(|text| reference::resolve(root, text)) else { continue };
            *counts.entry(address(schema)).or_default() += 1;
            users.entry(address(target)).or_default().push(address(schema));
            if known.insert(address(target)) {
                schemas.push(target);
            }
        }
    }
    let mut ends: Vec<_> = known.iter().copied().filter(|at| !counts.contains_key(at)).collect();
    while let Some(end) = ends.pop() {
        for user in users.remove(&end).into_iter().flatten() {
            if let Some(count) = counts.get_mut(&user) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(&user);
                    ends.push(user);
                }
            }
        }
    }
    counts.into_keys().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::check::subschemas::subschemas;
    use serde_json::json;

    fn all_errors(schema: &Value, hand_written: bool) -> Vec<String> {
        errors(schema, &subschemas(schema).expect("a small schema"), hand_written)
    }

    fn errors_with_property(property: Value) -> Vec<String> {
        let mut schema = json!({
            "properties": {
                "there": { "type": "string", "$anchor": "here" },
                "own": { "$id": "urn:own", "$defs": { "Inner": {} }, "items": { "$ref": "#/$defs/Inner" } }
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
            ("urn:own", "is not local"),
            ("#/$defs/Gone", "not in this schema"),
            ("#/$defs/Inner", "not in this schema"),
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
    fn circular_references_are_refused() {
        let schema = json!({ "items": { "$ref": "#/$defs/A" }, "$defs": { "A": { "$ref": "#/$defs/B" }, "B": { "$ref": "#/$defs/A" } } });
        assert_eq!(all_errors(&schema, true).len(), 3);
        for schema in [
            json!({ "type": "object", "$ref": "#/$defs/leaf", "$dynamicRef": "#", "$defs": { "leaf": {} } }),
            json!({ "items": { "$ref": "#/unknown/A" }, "unknown": { "A": { "$dynamicRef": "#/unknown/A" } } }),
        ] {
            assert_eq!(all_errors(&schema, true).len(), 1, "{schema}");
        }
    }

    #[test]
    fn references_that_meet_are_not_circular() {
        let schema = json!({
            "properties": { "a": { "$ref": "#/$defs/A", "$dynamicRef": "#/$defs/B" }, "b": { "$recursiveRef": "#" } },
            "$defs": { "A": { "$ref": "#/$defs/C" }, "B": { "$ref": "#/$defs/C" }, "C": {} }
        });
        assert_eq!(all_errors(&schema, true), [""; 0]);
    }

    #[test]
    fn a_property_named_ref_is_not_a_reference() {
        assert_eq!(all_errors(&json!({ "properties": { "$ref": { "const": { "$ref": "gone" } } } }), false), [""; 0]);
    }
}
