//! Keywords at their bounds, in each dialect.

use serde_json::{Value, json};

use crate::Validator;
use crate::json::reader::read_value;

const DRAFT_7: &str = "http://json-schema.org/draft-07/schema#";

fn accepts(schema: &Value, value: &Value) -> bool {
    let compiled = Validator::compile_linear(schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
    compiled.accepts(read_value(value).expect("a document").root())
}

/// Checks which values a schema accepts.
fn check(schema: &Value, accepted: &[Value], refused: &[Value]) {
    for (values, expected) in [(accepted, true), (refused, false)] {
        for value in values {
            assert_eq!(accepts(schema, value), expected, "{schema} {value}");
        }
    }
}

#[test]
fn an_exclusive_bound_refuses_the_bound_itself() {
    check(&json!({ "exclusiveMinimum": 5 }), &[json!(6), json!(5.5), json!("a")], &[json!(5), json!(5.0), json!(4)]);
    check(&json!({ "exclusiveMaximum": 5 }), &[json!(4), json!(4.5), json!(null)], &[json!(5), json!(5.0), json!(6)]);
    check(&json!({ "minimum": 5, "maximum": 5 }), &[json!(5)], &[json!(4), json!(6)]);
}

#[test]
fn a_property_may_require_others_or_a_schema() {
    let names = json!({ "a": ["b", "c"] });
    let (with, without) =
        ([json!({ "a": 1, "b": 1, "c": 1 }), json!({ "b": 1 }), json!({}), json!(1)], json!({ "a": 1, "b": 1 }));
    check(&json!({ "dependentRequired": names }), &with, std::slice::from_ref(&without));
    check(&json!({ "$schema": DRAFT_7, "dependencies": names }), &with, std::slice::from_ref(&without));
    let schemas = json!({ "a": { "required": ["b"] }, "c": false });
    let accepted = [json!({ "a": 1, "b": 1 }), json!({ "d": 1 }), json!({}), json!([1])];
    let refused = [json!({ "a": 1 }), json!({ "c": 1 })];
    check(&json!({ "dependentSchemas": schemas }), &accepted, &refused);
    check(&json!({ "$schema": DRAFT_7, "dependencies": schemas }), &accepted, &refused);
}

#[test]
fn a_keyword_that_a_dialect_does_not_know_refuses_nothing() {
    let condition = json!({ "if": true, "then": false });
    for (schema, dialect, is_known) in [
        (json!({ "dependentSchemas": { "a": false } }), DRAFT_7, false),
        (json!({ "dependentRequired": { "a": ["b"] } }), DRAFT_7, false),
        (condition, DRAFT_7, true),
        (json!({ "dependencies": { "a": false } }), DRAFT_7, true),
    ] {
        let mut schema = schema;
        schema["$schema"] = json!(dialect);
        assert_eq!(accepts(&schema, &json!({ "a": 1 })), !is_known, "{schema}");
    }
}

#[test]
fn a_reference_leads_to_any_kind_of_anchor() {
    for keyword in ["$anchor", "$dynamicAnchor"] {
        let schema = json!({ "$ref": "#here", "$defs": { "a": { "type": "null" }, "b": { keyword: "here", "type": "integer" } } });
        check(&schema, &[json!(1)], &[json!("a"), json!(null)]);
    }
    let schema = json!({
        "$schema": DRAFT_7, "allOf": [{ "$ref": "#here" }], "definitions": { "b": { "$id": "#here", "type": "integer" } },
    });
    check(&schema, &[json!(1)], &[json!("a")]);
}

#[test]
fn a_keyword_that_does_not_compile_is_named_with_its_place() {
    let error = |schema: &Value| Validator::compile_linear(schema).expect_err("an error").to_string();
    let found = error(&json!({ "properties": { "a/b": { "pattern": "(" } } }));
    assert!(found.ends_with(" (at `/properties/a~1b/pattern`)"), "{found}");
    assert!(found.len() > " (at `/properties/a~1b/pattern`)".len(), "{found}");
}

#[test]
fn a_cycle_is_reported_inside_it() {
    let to = |name: &str| json!({ "$ref": format!("#/$defs/{name}") });
    let schema = json!({
        "allOf": [to("after"), to("one")],
        "$defs": {
            "before": { "allOf": [to("one")] },
            "one": { "allOf": [to("two")] },
            "two": { "allOf": [to("after"), to("one")] },
            "after": { "allOf": [{ "minimum": 1 }, { "allOf": [{ "minimum": 2 }] }] },
        },
    });
    let error = Validator::compile_linear(&schema).expect_err("a cycle").to_string();
    assert!(error.contains("/$defs/one") || error.contains("/$defs/two"), "{error}");
}
