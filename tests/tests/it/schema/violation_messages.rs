//! The words of a message where two schemas could be meant.

use mcp_tool_runtime::CallToolRequest;
use serde_json::{Value, json};

use crate::one_argument::{message, taking, taking_in};
use crate::run;

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
fn r3_a_value_without_a_tag_is_told_all_tags() {
    let variant = |tag: &str, more: &[&str]| {
        let properties = more.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" })));
        let mut properties: serde_json::Map<String, Value> = properties.collect();
        properties.insert("kind".to_owned(), json!({ "const": tag }));
        let required: Vec<_> = properties.keys().cloned().collect();
        json!({ "type": "object", "properties": properties, "required": required })
    };
    let schema = json!({ "oneOf": [variant("transfer", &["iban"]), variant("cash", &[])] });
    for value in [json!({}), json!({ "type": "cash" }), json!({ "transfer": { "iban": "x" } })] {
        let text = message(&schema, &value);
        assert!(text.contains("transfer") && text.contains("cash"), "{text}");
    }
    assert_eq!(message(&schema, &json!({ "kind": "transfer" })), "invalid arguments: v.iban: required, but missing");
    let schema = json!({ "oneOf": [variant("transfer", &["iban", "bic"]), variant("cash", &[])] });
    let text = message(&schema, &json!({ "iban": "x", "bic": "y" }));
    assert_eq!(text, "invalid arguments: v.kind: required, but missing; expected \"transfer\"");
}

#[test]
fn r3_an_array_that_is_too_long_is_told_its_length() {
    let pair =
        json!({ "type": "array", "prefixItems": [{ "type": "integer" }, { "type": "integer" }], "items": false });
    assert_eq!(message(&pair, &json!([1, 2, 3])), "invalid arguments: v: expected at most 2 elements");
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

#[test]
fn r3_twenty_values_of_a_list_are_named_and_more_are_not() {
    let list = |count: u8| json!({ "enum": (0..count).collect::<Vec<_>>() });
    let named = (0..20).map(|number| number.to_string()).collect::<Vec<_>>().join(", ");
    let text = |count| message(&list(count), &json!("x"));
    assert_eq!(text(20), format!("invalid arguments: v: expected one of {named}, got a string"));
    for count in [21, 22] {
        assert_eq!(text(count), format!("invalid arguments: v: expected one of {named}, …, got a string"));
    }
}

#[test]
fn r3_a_length_is_reported_before_what_other_schemas_say() {
    let schema = json!({ "allOf": [{ "pattern": "^a" }], "minLength": 5 });
    let expected = "invalid arguments:\n- v: expected at least 5 characters\n- v: expected a string that matches ^a";
    assert_eq!(message(&schema, &json!("b")), expected);
}

#[test]
fn r3_the_least_size_is_reported_before_the_greatest() {
    for (schema, value) in [
        (json!({ "maxLength": 1, "minLength": 3 }), json!("ab")),
        (json!({ "maxItems": 1, "minItems": 3 }), json!([1, 2])),
        (json!({ "maxProperties": 1, "minProperties": 3 }), json!({ "a": 1, "b": 2 })),
    ] {
        let text = message(&schema, &value);
        let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words} in {text}"));
        assert!(at("at least 3") < at("at most 1"), "{text}");
    }
}

#[test]
fn r3_a_size_is_named_where_unions_contain_themselves() {
    let schema = json!({
        "type": "object",
        "properties": {
            "list": { "type": "array", "minItems": 2, "maxItems": 3 },
            "map": { "type": "object", "minProperties": 1 },
            "next": { "anyOf": [{ "$ref": "#/properties/v" }, { "type": "null" }] },
        }
    });
    for (value, expected) in [
        (json!({ "list": [1] }), "v.list: expected at least 2 elements"),
        (json!({ "list": [1, 2, 3, 4] }), "v.list: expected at most 3 elements"),
        (json!({ "map": {} }), "v.map: expected at least 1 property"),
    ] {
        assert_eq!(message(&schema, &value), format!("invalid arguments: {expected}"));
    }
}

#[test]
fn r3_a_branch_that_is_of_another_type_for_two_reasons_is_not_the_one_that_was_meant() {
    let text = json!({ "allOf": [{ "type": "string" }, { "type": "string", "maxLength": 3 }] });
    let schema = json!({ "anyOf": [text, { "type": "integer", "minimum": 10, "multipleOf": 2 }] });
    let expected = "invalid arguments:\n- v: expected 10 or more\n- v: expected a multiple of 2";
    assert_eq!(message(&schema, &json!(5)), expected);
}
