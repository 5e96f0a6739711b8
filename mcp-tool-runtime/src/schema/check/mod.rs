//! Checks the schemas of a tool while a dispatcher is built.
//!
//! Every error is reported, with its path and what to write instead. A derived schema must meet more rules than a
//! hand-written one, which is published untouched (rule T15). Compiling the schema checks the rest: that it is valid
//! JSON Schema, and that it does not apply itself without end.
//!
//! [`mod@subschemas`] collects what the other files look at, [`keywords`] checks references and headers, and
//! [`constraints`] checks that the attributes of a parameter have reached the schema, and that serde can read every
//! field.

mod constraints;
mod keywords;
mod subschemas;

use mcp_tool_schema::Validator;
use serde_json::Value;

use super::{pattern, walk};

pub(crate) use constraints::{Constraint, missing_constraints};
use keywords::{header_errors, reference_errors};
use subschemas::{errors_in, subschemas};

/// Returns the errors of an input schema. `root_union` permits a union at the root of a derived schema.
pub(crate) fn input(schema: &Value, root_union: bool, hand_written: bool) -> Vec<String> {
    let mut errors = root(schema, hand_written);
    if walk::keyword(schema, "type").is_none_or(|name| name != "object") {
        errors.push(if hand_written {
            "the root of an input schema must have `\"type\": \"object\"`: add it".to_owned()
        } else {
            "arguments must be an object, but this type accepts other values: use a struct, or an enum whose variants are \
             all objects"
                .to_owned()
        });
    }
    let unions = ["oneOf", "anyOf", "allOf"].into_iter().filter(|union| walk::keyword(schema, union).is_some());
    if !hand_written && !root_union {
        errors.extend(unions.map(|union| {
            format!(
                "the root has `{union}`, and some clients then refuse all tools: take the enum as one argument, neither \
                 flattened nor as all arguments, or set `root_union`"
            )
        }));
    }
    errors.extend(below_root(schema, hand_written, true));
    errors
}

/// Returns the errors of an output schema.
pub(crate) fn output(schema: &Value, hand_written: bool) -> Vec<String> {
    [root(schema, hand_written), below_root(schema, hand_written, false)].concat()
}

fn root(schema: &Value, hand_written: bool) -> Vec<String> {
    let mut errors = Vec::new();
    let may_be_boolean = hand_written && schema.is_boolean();
    if !schema.is_object() && !may_be_boolean {
        errors.push("a schema must be a JSON object".to_owned());
    }
    if !hand_written && walk::keyword(schema, "$ref").is_some() {
        errors.push("the root is a `$ref`, which clients do not follow: write the schema itself".to_owned());
    }
    errors
}

fn below_root(schema: &Value, hand_written: bool, is_input: bool) -> Vec<String> {
    let all = match subschemas(schema) {
        Ok(all) => all,
        // The schema is too deep or has too many subschemas, so report only that.
        Err(error) => return vec![error],
    };
    let headers = if is_input { header_errors(&all) } else { Vec::new() };
    if hand_written {
        if Validator::is_external(schema) {
            return headers;
        }
        if let Some(unsupported) = Validator::unsupported(schema) {
            return [unsupported].into_iter().chain(headers).collect();
        }
    }
    let mut errors = reference_errors(&all, hand_written);
    errors.extend(errors_in(&all, |schema| pattern_errors(schema, hand_written)));
    if !hand_written {
        errors.extend(all.iter().filter(|subschema| subschema.is_forbidden_boolean()).map(|subschema| {
            format!(
                "{} is a boolean schema, and some clients then drop all tools: write an object",
                subschema.path(&all)
            )
        }));
        errors.extend(errors_in(&all, constraints::shared_field));
    }
    errors.extend(headers);
    if !hand_written && is_input {
        errors.extend(errors_in(&all, constraints::integer_keys));
        errors.extend(errors_in(&all, constraints::unchecked_strings));
    }
    errors
}

/// Returns the errors of the regular expressions in one schema (rule T6).
fn pattern_errors(schema: &Value, hand_written: bool) -> Vec<String> {
    let errors = pattern::of(schema).filter_map(|text| {
        let syntax = pattern::parse(text);
        let or_feature = if hand_written && syntax.is_regex { ", or enable the feature `jsonschema`" } else { "" };
        Some(format!("the pattern `{text}` {}{or_feature}", syntax.problem?))
    });
    errors.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn only(errors: &[String], text: &str) -> bool {
        matches!(errors, [only] if only.contains(text))
    }

    #[test]
    fn the_root_of_an_input_must_have_type_object() {
        for schema in [json!({}), json!({ "type": ["object"] }), json!({ "type": "string" })] {
            assert!(only(&input(&schema, true, false), "arguments must be an object"), "{schema}");
            assert!(only(&input(&schema, false, true), "must have `\"type\": \"object\"`"), "{schema}");
        }
        assert!(only(&output(&json!([]), true), "must be a JSON object"));
        assert_eq!(output(&json!({ "type": "string" }), false), [""; 0]);
        assert_eq!(output(&json!(true), true), [""; 0]);
    }

    #[test]
    fn a_union_at_the_root_needs_root_union() {
        for union in ["oneOf", "anyOf", "allOf"] {
            let schema = json!({ "type": "object", union: [{}] });
            assert!(only(&input(&schema, false, false), union));
            assert_eq!(input(&schema, true, false), [""; 0]);
            assert_eq!(input(&schema, false, true), [""; 0]);
        }
        let reference = json!({ "type": "object", "$ref": "#/$defs/A", "$defs": { "A": {} } });
        assert!(only(&input(&reference, true, false), "the root is a `$ref`"));
        assert_eq!(input(&reference, false, true), [""; 0]);
    }

    #[test]
    fn a_refused_pattern_is_reported_with_its_path() {
        let schema = json!({ "type": "object", "properties": {
            "a": { "items": { "pattern": "(?i)a" } },
            "b": { "patternProperties": { "\\A": {} } },
            "pattern": { "const": { "pattern": "(?i)a" } }
        } });
        for hand_written in [false, true] {
            let errors = input(&schema, false, hand_written);
            assert_eq!(errors.len(), 2, "{errors:?}");
            assert!(errors[0].starts_with("`a[]`: the pattern `(?i)a` has an inline flag"), "{errors:?}");
            assert!(errors[1].starts_with("`b`: the pattern `\\A`"), "{errors:?}");
        }
    }

    #[test]
    fn a_boolean_subschema_is_refused_in_a_derived_schema_only() {
        let schema = json!({
            "type": "object",
            "properties": { "a": true, "b": { "items": false }, "c": { "additionalProperties": false } },
            "oneOf": [{ "additionalProperties": false }],
            "additionalProperties": false
        });
        let errors = input(&schema, true, false);
        let paths: Vec<_> = errors.iter().filter_map(|error| error.split(" is a boolean").next()).collect();
        assert_eq!(paths, ["`a`", "`b[]`"]);
        assert_eq!(input(&schema, true, true), [""; 0]);
    }

    #[test]
    fn all_errors_are_reported_at_once() {
        let schema = json!({ "oneOf": [], "properties": {
            "a": { "$ref": "elsewhere.json" }, "b": { "pattern": "[[:x:]]" }, "c": { "x-mcp-header": "C" }
        } });
        assert_eq!(input(&schema, false, false).len(), 5);
        assert_eq!(output(&schema, true).len(), 2, "headers are checked for inputs only");
    }

    #[test]
    fn a_hand_written_schema_that_is_not_supported_needs_the_feature_jsonschema() {
        for property in [
            json!({ "pattern": "(?=a)" }),
            json!({ "$id": "urn:a", "items": { "$ref": "#" } }),
            json!({ "not": { "$id": "urn:a" }, "items": { "$ref": "urn:a" } }),
        ] {
            let schema = json!({ "type": "object", "properties": { "a": property } });
            let errors = input(&schema, false, true);
            let is_expected = errors.is_empty() == cfg!(feature = "jsonschema");
            assert!(
                is_expected && errors.iter().all(|error| error.ends_with("the feature `jsonschema`")),
                "{errors:?}"
            );
            assert!(input(&schema, false, false).iter().all(|error| !error.contains("feature")), "{schema}");
        }
        assert!(only(&input(&json!({ "type": "object", "pattern": "(" }), false, true), "not closed"));
    }
}
