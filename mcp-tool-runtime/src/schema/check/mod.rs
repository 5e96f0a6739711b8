//! What `build()` refuses about a schema.
//!
//! Every fault is told, with the place and what to do about it. A derived schema is held to more than a hand-written
//! one, which goes out untouched (rule T15); whether it is valid JSON Schema at all is not looked at here.

mod constraints;
mod header;
mod pattern;
mod references;
mod subschemas;

use serde_json::Value;

use super::walk;

pub(crate) use constraints::missing_constraints;
use subschemas::{Subschema, is_plain, subschemas};

/// The faults of an input schema. `root_union` is the tool's leave to have a union at the root.
pub(crate) fn input(schema: &Value, root_union: bool, hand_written: bool) -> Vec<String> {
    let mut faults = root(schema, hand_written);
    if walk::keyword(schema, "type").is_none_or(|kind| kind != "object") {
        faults.push(if hand_written {
            "the root of an input schema must say `\"type\": \"object\"`: add it".to_owned()
        } else {
            "arguments must be an object, and this type admits other values: use a struct, or an enum of which every \
             variant is an object"
                .to_owned()
        });
    }
    let unions = ["oneOf", "anyOf", "allOf"].into_iter().filter(|union| walk::keyword(schema, union).is_some());
    if !hand_written && !root_union {
        faults.extend(unions.map(|union| {
            format!(
                "the root has `{union}`, for which some clients refuse every tool of a request: take the enum as one \
                 argument rather than flattened or as all of them, or set `root_union`"
            )
        }));
    }
    faults.extend(below(schema, hand_written, true));
    faults
}

/// The faults of an output schema.
pub(crate) fn output(schema: &Value, hand_written: bool) -> Vec<String> {
    let mut faults = root(schema, hand_written);
    faults.extend(below(schema, hand_written, false));
    faults
}

fn root(schema: &Value, hand_written: bool) -> Vec<String> {
    let mut faults = Vec::new();
    let may_be_boolean = hand_written && schema.is_boolean();
    if !schema.is_object() && !may_be_boolean {
        faults.push("a schema must be a JSON object".to_owned());
    }
    if !hand_written && walk::keyword(schema, "$ref").is_some() {
        faults.push("the root is a `$ref`, which clients do not follow: write the schema in its place".to_owned());
    }
    faults
}

fn below(schema: &Value, hand_written: bool, is_input: bool) -> Vec<String> {
    if is_plain(schema) {
        return Vec::new();
    }
    let all = match subschemas(schema) {
        Ok(all) => all,
        // What is out of bounds is not looked at any closer.
        Err(fault) => return vec![fault],
    };
    let mut faults = references::faults(schema, &all, hand_written);
    faults.extend(all.iter().flat_map(|subschema| patterns(subschema, &all)));
    if !hand_written {
        faults.extend(all.iter().filter(|subschema| subschema.is_forbidden_boolean()).map(|subschema| {
            format!("{} is a boolean schema, for which clients drop every tool: write an object", subschema.path(&all))
        }));
    }
    if is_input {
        faults.extend(header::faults(&all));
    }
    faults
}

/// The regular expressions of one schema that clients would not read as the dispatcher does (rule T6).
fn patterns(subschema: &Subschema<'_>, all: &[Subschema<'_>]) -> Vec<String> {
    let own = walk::keyword(subschema.schema, "pattern").and_then(Value::as_str);
    let keys = walk::keyword(subschema.schema, "patternProperties").and_then(Value::as_object);
    let texts = own.into_iter().chain(keys.into_iter().flat_map(|keys| keys.keys().map(String::as_str)));
    texts
        .filter_map(|text| Some((text, pattern::fault(text)?)))
        .map(|(text, fault)| format!("{}: the pattern `{text}` {fault}", subschema.path(all)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn only(faults: &[String], words: &str) -> bool {
        matches!(faults, [only] if only.contains(words))
    }

    #[test]
    fn the_root_is_a_literal_object() {
        for schema in [json!({}), json!({ "type": ["object"] }), json!({ "type": "string" })] {
            assert!(only(&input(&schema, true, false), "arguments must be an object"), "{schema}");
            assert!(only(&input(&schema, false, true), "must say `\"type\": \"object\"`"), "{schema}");
        }
        assert!(only(&output(&json!([]), true), "must be a JSON object"));
        assert_eq!(output(&json!({ "type": "string" }), false), [""; 0]);
        assert_eq!(output(&json!(true), true), [""; 0]);
    }

    #[test]
    fn a_union_at_the_root_is_for_those_who_ask() {
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
    fn a_pattern_is_named_with_its_place() {
        let schema = json!({ "type": "object", "properties": {
            "a": { "items": { "pattern": "(?i)a" } },
            "b": { "patternProperties": { "\\A": {} } },
            "pattern": { "const": { "pattern": "(?i)a" } }
        } });
        for hand_written in [false, true] {
            let faults = input(&schema, false, hand_written);
            assert_eq!(faults.len(), 2, "{faults:?}");
            assert!(faults[0].starts_with("`a[]`: the pattern `(?i)a` has an inline flag"), "{faults:?}");
            assert!(faults[1].starts_with("`b`: the pattern `\\A`"), "{faults:?}");
        }
    }

    #[test]
    fn a_boolean_is_a_fault_of_a_derived_schema() {
        let schema = json!({
            "type": "object",
            "properties": { "a": true, "b": { "items": false }, "c": { "additionalProperties": false } },
            "oneOf": [{ "additionalProperties": false }],
            "additionalProperties": false
        });
        let faults = input(&schema, true, false);
        let places: Vec<_> = faults.iter().filter_map(|fault| fault.split(" is a boolean").next()).collect();
        assert_eq!(places, ["`a`", "`b[]`", "`c/additionalProperties`"]);
        assert_eq!(input(&schema, true, true), [""; 0]);
    }

    #[test]
    fn every_kind_of_fault_is_told_at_once() {
        let schema = json!({ "oneOf": [], "properties": {
            "a": { "$ref": "elsewhere.json" }, "b": { "pattern": "[[:x:]]" }, "c": { "x-mcp-header": "C" }
        } });
        assert_eq!(input(&schema, false, false).len(), 5);
        assert_eq!(output(&schema, true).len(), 2, "headers are of the input");
    }
}
