//! The words of a message where two schemas could be meant.

use mcp_tool_runtime::CallToolRequest;
use serde_json::{Value, json};

use crate::{message, run, taking, taking_in};

#[test]
fn r3_eight_branches_are_all_described_and_nine_are_not() {
    let union = |count: u8| json!({ "anyOf": (0..count).map(|n| json!({ "const": n })).collect::<Vec<Value>>() });
    let text = message(&union(8), &json!("x"));
    assert!(text.contains("6 or 7") && !text.contains("another form"), "{text}");
    let text = message(&union(9), &json!("x"));
    assert!(text.contains("or 7 or another form"), "{text}");
}

#[test]
fn r3_a_branch_of_other_values_is_not_the_one_that_was_meant() {
    let object = json!({ "type": "object", "properties": { "x": { "type": "integer" } }, "required": ["x"] });
    let schema = json!({ "anyOf": [{ "enum": ["a", "b"] }, object] });
    assert_eq!(message(&schema, &json!({})), "invalid arguments: v.x: required, but missing");
}

#[test]
fn r3_an_element_beyond_a_closed_form_is_named() {
    let pair =
        json!({ "type": "array", "prefixItems": [{ "type": "integer" }, { "type": "integer" }], "items": false });
    assert_eq!(message(&pair, &json!([1, 2, 3])), "invalid arguments: v[2]: no value is allowed here");
}

#[test]
fn r3_an_array_of_draft_7_that_is_too_long_is_told_its_length() {
    let pair =
        json!({ "type": "array", "items": [{ "type": "integer" }, { "type": "integer" }], "additionalItems": false });
    for schema in [pair.clone(), json!({ "anyOf": [pair, { "type": "string" }] })] {
        let dispatcher = taking_in("http://json-schema.org/draft-07/schema#", &schema, &json!({}));
        let message = |value| run::message(&dispatcher, "t", json!({ "v": value }));
        assert_eq!(message(json!([1, 2, 3])), "invalid arguments: v: expected at most 2 elements");
        assert_eq!(message(json!([1, "2"])), "invalid arguments: v[1]: expected an integer, got a string");
    }
}

#[test]
fn r3_violations_of_a_value_come_in_the_order_of_their_cost() {
    let schema =
        json!({ "type": "object", "minProperties": 3, "required": ["a"], "propertyNames": { "maxLength": 1 } });
    let text = message(&schema, &json!({ "long": 1 }));
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words} in {text}"));
    assert!(at("at least 3") < at("required, but missing"), "{text}");
}

#[test]
fn r3_a_name_of_printable_characters_is_quoted_as_it_is() {
    let dispatcher = taking(&json!(true));
    let error = run::now(dispatcher.call(CallToolRequest::new("Größe", json!({})))).expect_err("no such tool");
    assert!(error.to_string().contains("`Größe`"), "{error}");
}

#[test]
fn r3_the_last_element_of_a_large_array_is_named() {
    let mut elements = vec![json!(1); 100_000];
    elements.push(json!("x"));
    let text = message(&json!({ "type": "array", "items": { "type": "integer" } }), &json!(elements));
    assert_eq!(text, "invalid arguments: v[100000]: expected an integer, got a string");
}
