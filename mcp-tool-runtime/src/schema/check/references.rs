//! References: local, and to something that is there (rules T3 and T16).

use std::collections::BTreeSet;

use serde_json::Value;

use super::subschemas::Subschema;
use crate::schema::reference::{self, Reference};
use crate::schema::walk;

/// The faults of every `$ref` and `$dynamicRef`.
pub(super) fn faults(root: &Value, all: &[Subschema<'_>], hand_written: bool) -> Vec<String> {
    let anchors: BTreeSet<&str> = all.iter().flat_map(|subschema| anchors(subschema.schema)).collect();
    let mut faults = Vec::new();
    for subschema in all {
        for keyword in ["$ref", "$dynamicRef"] {
            if let Some(target) = walk::keyword(subschema.schema, keyword).and_then(Value::as_str)
                && let Some(fault) = fault(target, subschema, &anchors, hand_written)
            {
                faults.push(format!("{}: the reference `{target}` {fault}", subschema.path(all)));
            }
        }
        if ends_nowhere(subschema, root) {
            faults.push(format!("{}: the reference leads back to itself: say what the value is", subschema.path(all)));
        }
    }
    faults
}

fn fault(target: &str, from: &Subschema<'_>, anchors: &BTreeSet<&str>, hand_written: bool) -> Option<&'static str> {
    match Reference::parse(target) {
        Reference::Remote => Some("is not local, and nothing is ever fetched: copy what it names under `$defs`"),
        Reference::Root if !hand_written => Some("names the whole schema, which clients misread: give the type a name"),
        Reference::Anchor(name) if !anchors.contains(name) => Some("names no `$anchor` of this schema"),
        Reference::Root | Reference::Anchor(_) => None,
        Reference::Definition(_) | Reference::Within(_) | Reference::Pointer(_) => {
            match reference::resolve(from.resource, target) {
                Some(found) if found.is_object() || found.is_boolean() => None,
                Some(_) => Some("points at something that is not a schema"),
                None => Some("points at nothing in this schema"),
            }
        }
    }
}

fn anchors(schema: &Value) -> impl Iterator<Item = &str> {
    let named =
        ["$anchor", "$dynamicAnchor"].into_iter().filter_map(|keyword| walk::keyword(schema, keyword)?.as_str());
    // As draft-07 writes them.
    named.chain(walk::keyword(schema, "$id").and_then(Value::as_str).and_then(|id| id.strip_prefix('#')))
}

/// Whether following the reference never comes to anything but a reference; a validator would not come back.
fn ends_nowhere(from: &Subschema<'_>, root: &Value) -> bool {
    let mut followed = BTreeSet::new();
    let mut schema = from.schema;
    while std::ptr::eq(from.resource, root)
        && let Some(target) = walk::keyword(schema, "$ref").and_then(Value::as_str)
        && let Some(found) = reference::resolve(root, target)
    {
        if !followed.insert(target) {
            return true;
        }
        schema = found;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::check::subschemas::subschemas;
    use serde_json::json;

    fn all_faults(schema: &Value, hand_written: bool) -> Vec<String> {
        faults(schema, &subschemas(schema).expect("a small schema"), hand_written)
    }

    fn of_property(property: Value) -> Vec<String> {
        let mut schema = json!({
            "properties": {
                "there": { "type": "string", "$anchor": "here" },
                "own": { "$id": "urn:own", "$defs": { "Inner": {} }, "items": { "$ref": "#/$defs/Inner" } }
            },
            "required": ["there"],
            "$defs": { "A": { "items": { "$ref": "#/$defs/A" } }, "a/b": {}, "Loop": { "not": {}, "$ref": "#/$defs/A" } }
        });
        schema["properties"]["tested"] = property;
        all_faults(&schema, true)
    }

    #[test]
    fn a_reference_that_holds_is_no_fault() {
        for target in
            ["#/$defs/A", "#/$defs/a~1b", "#/%24defs/A", "#here", "#/properties/there", "#", "#/$defs/A/items"]
        {
            assert_eq!(of_property(json!({ "items": { "$ref": target } })), [""; 0], "{target}");
        }
    }

    #[test]
    fn a_reference_that_does_not_is() {
        for (target, words) in [
            ("https://example.com/a.json", "is not local"),
            ("other.json#/a", "is not local"),
            ("urn:own", "is not local"),
            ("#/$defs/Gone", "points at nothing"),
            ("#/$defs/Inner", "points at nothing"),
            ("#/required/0", "not a schema"),
            ("#gone", "names no `$anchor`"),
        ] {
            for keyword in ["$ref", "$dynamicRef"] {
                let found = of_property(json!({ keyword: target }));
                assert!(
                    matches!(found.as_slice(), [only] if only.starts_with("`tested`: ") && only.contains(words)),
                    "{target}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn the_root_is_named_by_hand_only() {
        let schema = json!({ "items": { "$ref": "#" } });
        assert_eq!(all_faults(&schema, true), [""; 0]);
        assert_eq!(all_faults(&schema, false).len(), 1);
    }

    #[test]
    fn a_reference_to_itself_is_found() {
        let schema = json!({ "items": { "$ref": "#/$defs/A" }, "$defs": { "A": { "$ref": "#/$defs/B" }, "B": { "$ref": "#/$defs/A" } } });
        assert_eq!(all_faults(&schema, true).len(), 3);
    }

    #[test]
    fn a_property_called_ref_is_no_reference() {
        assert_eq!(all_faults(&json!({ "properties": { "$ref": { "const": { "$ref": "gone" } } } }), false), [""; 0]);
    }
}
