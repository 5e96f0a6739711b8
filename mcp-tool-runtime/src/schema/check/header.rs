//! Checks `x-mcp-header`, which marks arguments that a client also sends as HTTP headers (rule T14).

use std::collections::BTreeMap;

use serde_json::Value;

use super::subschemas::Subschema;
use crate::schema::walk;

const HEADER: &str = "x-mcp-header";

/// Returns the errors of every `x-mcp-header`. A client drops the tool for any of them.
pub(super) fn errors(all: &[Subschema<'_>]) -> Vec<String> {
    let mut errors = Vec::new();
    let mut paths_by_name: BTreeMap<String, String> = BTreeMap::new();
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

    fn all_errors(schema: &Value) -> Vec<String> {
        errors(&subschemas(schema).expect("a small schema"))
    }

    #[test]
    fn a_valid_header_is_accepted() {
        let schema = json!({ "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "nested": { "type": "object", "properties": { "n": { "type": "integer", "x-mcp-header": "N.~1" } } },
            "x-mcp-header": { "type": "array" }
        } });
        assert_eq!(all_errors(&schema), [""; 0]);
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
            let found = all_errors(&schema);
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
            all_errors(&schema),
            [
                "`b`: `x-mcp-header` has the header name `REGION`, which `a` has too: choose another, header names ignore case"
            ]
        );
    }
}
