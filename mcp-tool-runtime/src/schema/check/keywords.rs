//! Checks references and headers: references must be local and have a target (rules T3 and T16), and `x-mcp-header` is
//! allowed only on arguments that a client can send as HTTP headers (rule T14).

use std::collections::HashMap;

use serde_json::Value;

use super::subschemas::{Subschema, errors_in};
use crate::schema::reference::{self, Reference};
use crate::schema::{HEADER, walk};

/// Returns an error for each `$ref` and `$dynamicRef` that is remote, whose target is missing or is not a schema, or
/// that refers to the root of a derived schema.
pub(super) fn reference_errors(all: &[Subschema<'_>], hand_written: bool) -> Vec<String> {
    errors_in(all, |schema| {
        let targets = ["$ref", "$dynamicRef"].into_iter().filter_map(|name| walk::keyword(schema, name)?.as_str());
        let errors = targets.filter_map(|target| Some((target, error(target, all[0].schema, hand_written)?)));
        errors.map(|(target, error)| format!("the reference `{target}` {error}")).collect::<Vec<_>>()
    })
}

fn error(target: &str, root: &Value, hand_written: bool) -> Option<&'static str> {
    match (Reference::parse(target), reference::resolve(root, target)) {
        (Reference::Remote, _) => {
            Some("is not local, and remote schemas are never fetched: copy the schema under `$defs`")
        }
        (Reference::Root, _) if !hand_written => {
            Some("refers to the root, which clients misread: give the type a name")
        }
        (_, Some(found)) if walk::is_schema(found) => None,
        (_, Some(_)) => Some("refers to a value that is not a schema"),
        (Reference::Anchor(_), None) => Some("refers to an `$anchor` that is not in this schema"),
        (_, None) => Some("refers to a location that is not in this schema"),
    }
}

/// Returns the errors of every `x-mcp-header`. Any such error makes a client drop the tool.
pub(super) fn header_errors(all: &[Subschema<'_>]) -> Vec<String> {
    let mut errors = Vec::new();
    let mut paths_by_name: HashMap<String, String> = HashMap::new();
    for subschema in all {
        let Some(header) = walk::keyword(subschema.schema, HEADER) else {
            continue;
        };
        let path = subschema.path(all);
        let mut error = |text: &str| errors.push(format!("{path}: `{HEADER}` {text}"));
        if !subschema.is_nested_property(all) {
            error("is not reachable through `properties` alone: move it to an argument or to a field of one");
        }
        let type_name = walk::keyword(subschema.schema, "type").and_then(Value::as_str);
        if !matches!(type_name, Some("string" | "integer" | "boolean")) {
            error("needs a `type` of `string`, `integer` or `boolean`");
        }
        match header.as_str() {
            Some(name) if is_token(name) => {
                if let Some(first) = paths_by_name.insert(name.to_ascii_lowercase(), path.clone()) {
                    error(&format!(
                        "has the header name `{name}`, which {first} has too: choose another, header names ignore case"
                    ));
                }
            }
            Some(_) => error("must be a header name: letters, digits and any of !#$%&'*+-.^_`|~"),
            None => error("must be a string, the name of the header"),
        }
    }
    errors
}

/// Returns `true` for a `token` of RFC 9110, section 5.6.2.
fn is_token(name: &str) -> bool {
    let is_tchar = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_tchar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::check::subschemas::subschemas;
    use serde_json::json;

    fn errors_of_references(schema: &Value, hand_written: bool) -> Vec<String> {
        reference_errors(&subschemas(schema).expect("a small schema"), hand_written)
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
        errors_of_references(&schema, true)
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
        assert_eq!(errors_of_references(&schema, true), [""; 0]);
        assert_eq!(errors_of_references(&schema, false).len(), 1);
    }

    #[test]
    fn a_property_named_ref_is_not_a_reference() {
        assert_eq!(
            errors_of_references(&json!({ "properties": { "$ref": { "const": { "$ref": "gone" } } } }), false),
            [""; 0]
        );
    }

    fn errors_of_headers(schema: &Value) -> Vec<String> {
        header_errors(&subschemas(schema).expect("a small schema"))
    }

    #[test]
    fn a_valid_header_is_accepted() {
        let schema = json!({ "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "nested": { "type": "object", "properties": { "n": { "type": "integer", "x-mcp-header": "N.~1" } } },
            "x-mcp-header": { "type": "array" }
        } });
        assert_eq!(errors_of_headers(&schema), [""; 0]);
    }

    #[test]
    fn each_invalid_header_is_reported() {
        let string = |name: &str| json!({ "type": "string", "x-mcp-header": name });
        let property = |schema: Value| json!({ "properties": { "a": schema } });
        for (schema, text) in [
            (property(string("")), "must be a header name"),
            (property(string("My Region")), "must be a header name"),
            (property(string("Region:Primary")), "must be a header name"),
            (property(string("Région")), "must be a header name"),
            (property(string("Region\t1")), "must be a header name"),
            (property(json!({ "type": "string", "x-mcp-header": 1 })), "must be a string"),
            (property(json!({ "type": "number", "x-mcp-header": "A" })), "needs a `type`"),
            (property(json!({ "type": ["string", "null"], "x-mcp-header": "A" })), "needs a `type`"),
            (property(json!({ "enum": ["a"], "x-mcp-header": "A" })), "needs a `type`"),
            (property(json!({ "items": string("A") })), "`a[]`: "),
            (property(json!({ "anyOf": [string("A")] })), "`properties` alone"),
            (json!({ "$defs": { "A": string("A") } }), "`properties` alone"),
            (json!({ "patternProperties": { "^a$": string("A") } }), "`properties` alone"),
            (string("A"), "`properties` alone"),
        ] {
            let found = errors_of_headers(&schema);
            assert!(matches!(found.as_slice(), [only] if only.contains(text)), "{schema}: {found:?}");
        }
    }

    #[test]
    fn two_arguments_cannot_have_the_same_header() {
        let schema = json!({ "properties": {
            "a": { "type": "string", "x-mcp-header": "Region" },
            "b": { "type": "string", "x-mcp-header": "REGION" }
        } });
        assert_eq!(
            errors_of_headers(&schema),
            [
                "`b`: `x-mcp-header` has the header name `REGION`, which `a` has too: choose another, header names ignore case"
            ]
        );
    }
}
