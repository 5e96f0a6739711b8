//! `x-mcp-header`: arguments that a client also sends as HTTP headers (rule T14).

use std::collections::BTreeMap;

use serde_json::Value;

use super::subschemas::Subschema;
use crate::schema::walk;

pub(super) const ANNOTATION: &str = "x-mcp-header";

/// The faults of every annotation; a client drops the tool for any of them.
pub(super) fn faults(all: &[Subschema<'_>]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut named: BTreeMap<String, String> = BTreeMap::new();
    for (index, subschema) in all.iter().enumerate() {
        let Some(annotation) = walk::keyword(subschema.schema, ANNOTATION) else {
            continue;
        };
        let path = subschema.path(all);
        let mut fault = |text: &str| faults.push(format!("{path}: `{ANNOTATION}` {text}"));
        if index == 0 || !subschema.by_properties {
            fault("stands where `properties` alone do not lead: move it to an argument or to a field of one");
        }
        let kind = walk::keyword(subschema.schema, "type").and_then(Value::as_str);
        if !matches!(kind, Some("string" | "integer" | "boolean")) {
            fault("needs a `type` of `string`, `integer` or `boolean`");
        }
        match annotation.as_str() {
            Some(name) if is_token(name) => {
                if let Some(first) = named.insert(name.to_ascii_lowercase(), path.clone()) {
                    fault(&format!("names the header `{name}`, as {first} does: headers ignore case"));
                }
            }
            Some(_) => fault("must be a header name: letters, digits and any of !#$%&'*+-.^_`|~"),
            None => fault("must be a string, the name of the header"),
        }
    }
    faults
}

/// `1*tchar` of RFC 9110, section 5.6.2.
fn is_token(name: &str) -> bool {
    let is_tchar = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_tchar)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::check::subschemas::subschemas;
    use serde_json::json;

    fn all_faults(schema: &Value) -> Vec<String> {
        faults(&subschemas(schema).expect("a small schema"))
    }

    #[test]
    fn an_annotation_in_its_place_is_no_fault() {
        let schema = json!({ "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "nested": { "type": "object", "properties": { "n": { "type": "integer", "x-mcp-header": "N.~1" } } },
            "x-mcp-header": { "type": "array" }
        } });
        assert_eq!(all_faults(&schema), [""; 0]);
    }

    #[test]
    fn each_fault_is_told() {
        let text = |name: &str| json!({ "type": "string", "x-mcp-header": name });
        let property = |schema: Value| json!({ "properties": { "a": schema } });
        for (schema, words) in [
            (property(text("")), "must be a header name"),
            (property(text("My Region")), "must be a header name"),
            (property(text("Region:Primary")), "must be a header name"),
            (property(text("Région")), "must be a header name"),
            (property(text("Region\t1")), "must be a header name"),
            (property(json!({ "type": "string", "x-mcp-header": 1 })), "must be a string"),
            (property(json!({ "type": "number", "x-mcp-header": "A" })), "needs a `type`"),
            (property(json!({ "type": ["string", "null"], "x-mcp-header": "A" })), "needs a `type`"),
            (property(json!({ "enum": ["a"], "x-mcp-header": "A" })), "needs a `type`"),
            (property(json!({ "items": text("A") })), "`a[]`: "),
            (property(json!({ "anyOf": [text("A")] })), "`properties` alone"),
            (json!({ "$defs": { "A": text("A") } }), "`properties` alone"),
            (json!({ "patternProperties": { "^a$": text("A") } }), "`properties` alone"),
            (text("A"), "`properties` alone"),
        ] {
            let found = all_faults(&schema);
            assert!(matches!(found.as_slice(), [only] if only.contains(words)), "{schema}: {found:?}");
        }
    }

    #[test]
    fn one_header_has_one_source() {
        let schema = json!({ "properties": {
            "a": { "type": "string", "x-mcp-header": "Region" },
            "b": { "type": "string", "x-mcp-header": "REGION" }
        } });
        assert_eq!(
            all_faults(&schema),
            ["`b`: `x-mcp-header` names the header `REGION`, as `a` does: headers ignore case"]
        );
    }
}
