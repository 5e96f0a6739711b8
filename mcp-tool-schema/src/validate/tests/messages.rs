//! The messages of violations, and their order.

use serde_json::{Value, json};

use crate::Validator;
use crate::json::path::Path;
use crate::json::reader;
use crate::json::violation::{MAX_FOUND, Violation};
use crate::validate::memo::STEPS;

fn found(schema: &Value, value: &Value) -> Vec<Violation> {
    let compiled = Validator::compile_linear(schema).expect("a schema");
    let document = reader::read_value(value).expect("a document");
    compiled.violations(document.root(), schema)
}

#[test]
fn a_value_of_an_expected_type_is_another_one() {
    for (expected, value, message) in [
        (json!([true]), json!(false), "expected true, got another boolean"),
        (json!([true]), json!("x"), "expected true, got a string"),
        (json!([1, 2]), json!(3), "expected one of 1, 2, got another integer"),
        (json!([1]), json!(1.5), "expected 1, got another number"),
        (json!([1]), json!([]), "expected 1, got an array"),
        (json!(["a"]), json!("b"), "expected \"a\", got another string"),
        (json!([[1]]), json!([]), "expected [1], got another array"),
        (json!([[1]]), json!({}), "expected [1], got an object"),
        (json!([{"a": 1}]), json!({}), "expected {\"a\":1}, got another object"),
        (json!([{"a": 1}]), json!(true), "expected {\"a\":1}, got a boolean"),
        (json!([null]), json!(1), "expected null, got an integer"),
    ] {
        let found = found(&json!({ "enum": expected }), &value);
        assert_eq!(found, [Violation::root(message)]);
    }
}

#[test]
fn a_name_that_is_refused_is_reported_with_the_reason() {
    let found = found(&json!({"propertyNames": {"maxLength": 3}}), &json!({"abc": 1, "label": 2}));
    let message = "the name is not allowed: expected at most 3 characters";
    assert_eq!(found, [Violation::new(Path::default().property("label"), message)]);
}

#[test]
fn the_unknown_properties_of_all_objects_count_for_one_limit() {
    let object: Value = (0..20).map(|at| (format!("p{at}"), json!(at))).collect();
    let found = found(&json!({"items": {"additionalProperties": false}}), &json!([object, object]));
    assert_eq!(found.len(), MAX_FOUND);
    assert!(found.iter().all(|violation| violation.is_unknown_property));
}

fn messages(schema: &Value, value: &Value) -> Vec<String> {
    found(schema, value).into_iter().map(|violation| format!("{}: {}", violation.path, violation.message)).collect()
}

#[test]
fn violations_of_one_number_have_a_fixed_order() {
    let schema = json!({"properties": {"n": {
        "multipleOf": 4, "exclusiveMaximum": 1, "exclusiveMinimum": 9, "maximum": 2, "minimum": 8
    }}});
    let expected = [
        "n: expected 8 or more",
        "n: expected 2 or less",
        "n: expected more than 9",
        "n: expected less than 1",
        "n: expected a multiple of 4",
    ];
    assert_eq!(messages(&schema, &json!({"n": 5})), expected);
}

#[test]
fn values_that_a_name_and_a_pattern_lead_to_are_checked_once() {
    let node = json!({"$ref": "#"});
    let schema = json!({"type": "object", "properties": {"a": node}, "patternProperties": {"^a": node}});
    let compiled = Validator::compile_linear(&schema).expect("a schema");
    let value = (0..14).fold(json!({}), |inner, _| json!({"a": inner}));
    let document = reader::read_value(&value).expect("a document");
    STEPS.set(0);
    assert!(compiled.accepts(document.root()));
    assert!(STEPS.get() < 100, "{} steps", STEPS.get());
}

#[test]
fn violations_of_a_large_value_as_a_whole_are_found() {
    let numbers = json!(vec![1; 600]);
    for (schema, message) in [
        (json!({"const": [1]}), "list: expected [1], got another array"),
        (json!({"enum": [[1], [2]]}), "list: expected one of [1], [2], got another array"),
        (json!({"uniqueItems": true}), "list: expected no duplicate elements"),
        (json!({"minItems": 601}), "list: expected at least 601 elements"),
        (json!({"maxItems": 599}), "list: expected at most 599 elements"),
    ] {
        assert_eq!(messages(&json!({"properties": {"list": schema}}), &json!({"list": numbers})), [message]);
    }
    let document = json!({"list": numbers, "extra": 1});
    for (schema, message) in [
        (json!({"dependentRequired": {"extra": ["more"]}}), "more: required, but missing (because `extra` is given)"),
        (json!({"propertyNames": {"maxLength": 4}}), "extra: the name is not allowed: expected at most 4 characters"),
    ] {
        assert_eq!(messages(&schema, &document), [message]);
    }
}
