//! Changes of one keyword that break a contract, and changes beside them that do not.

use mcp_tool_runtime::contract;
use serde_json::{Value, json};

use crate::taking;

/// Returns how many breaks the change of the schema of `v` is.
fn breaks(name: &str, then: &Value, now: &Value) -> usize {
    let file = std::env::temp_dir().join(format!("mcp-tool-boundaries-{}-{name}.lock.json", std::process::id()));
    contract::write(&taking(then), &file).expect("a file");
    let result = contract::check(&taking(now), &file);
    std::fs::remove_file(&file).expect("the file");
    result.map_or_else(|error| error.breaks().len(), |()| 0)
}

#[test]
fn a_schema_that_says_the_same_in_other_words_is_no_break() {
    for (name, then, now) in [
        ("whole", json!({ "type": "integer" }), json!({ "type": "integer", "multipleOf": 1 })),
        ("const", json!({ "enum": ["a"] }), json!({ "const": "a" })),
        (
            "bounds",
            json!({ "type": "integer", "minimum": 1, "allOf": [{ "minimum": 5 }] }),
            json!({ "type": "integer", "minimum": 4 }),
        ),
        ("rest", json!({ "type": "object" }), json!({ "type": "object", "unevaluatedProperties": true })),
        ("multiples", json!({ "type": "integer", "multipleOf": 6 }), json!({ "type": "integer", "multipleOf": 3 })),
        (
            "one",
            json!({ "type": "array", "maxItems": 1 }),
            json!({ "type": "array", "maxItems": 1, "uniqueItems": true }),
        ),
        (
            "kinds",
            json!({ "type": ["string", "integer"] }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] }),
        ),
        (
            "count",
            json!({ "type": "object", "properties": { "a": {}, "b": {} }, "required": ["a", "b"] }),
            json!({ "type": "object", "properties": { "a": {}, "b": {} }, "required": ["a", "b"], "minProperties": 2 }),
        ),
        ("values", json!({ "enum": [1, 2] }), json!({ "oneOf": [{ "const": 1 }, { "const": 2 }] })),
        // No value is an integer and 1.5.
        ("nothing", json!({ "type": "integer", "enum": [1.5] }), json!({ "type": "string" })),
    ] {
        assert_eq!(breaks(name, &then, &now), 0, "{name}");
    }
}

#[test]
fn a_schema_that_takes_less_is_a_break() {
    let (integer, text, flag) =
        (json!({ "type": "integer" }), json!({ "type": "string" }), json!({ "type": "boolean" }));
    let array = |prefix: Value, rest: &Value| json!({ "type": "array", "prefixItems": prefix, "items": rest });
    for (name, then, now) in [
        ("fractions", json!({ "type": "number" }), json!({ "type": "number", "multipleOf": 1 })),
        ("other", json!({ "enum": ["a", "b"] }), json!({ "const": "a" })),
        ("stricter", json!({ "type": "integer", "minimum": 1 }), json!({ "type": "integer", "minimum": 4 })),
        ("closed", json!({ "type": "object" }), json!({ "type": "object", "unevaluatedProperties": integer })),
        ("odd", json!({ "type": "integer", "multipleOf": 6 }), json!({ "type": "integer", "multipleOf": 4 })),
        ("even", json!({ "type": "integer" }), json!({ "type": "integer", "multipleOf": 2 })),
        (
            "two",
            json!({ "type": "array", "maxItems": 2 }),
            json!({ "type": "array", "maxItems": 2, "uniqueItems": true }),
        ),
        (
            "kind",
            json!({ "type": ["string", "integer"] }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "integer", "minimum": 1 }] }),
        ),
        ("none", json!({ "type": "string" }), json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }] })),
        (
            "more",
            json!({ "type": "object", "properties": { "a": {} }, "required": ["a"] }),
            json!({ "type": "object", "properties": { "a": {} }, "required": ["a"], "minProperties": 2 }),
        ),
        // Some validators accept a large float as an integer.
        ("large", json!({ "type": "integer", "enum": [1e300] }), json!({ "type": "string" })),
        ("second", array(json!([integer, text]), &flag), array(json!([integer]), &flag)),
    ] {
        assert_ne!(breaks(name, &then, &now), 0, "{name}");
    }
}

#[test]
fn a_contract_that_cannot_be_read_is_not_one_that_does_not_exist() {
    let tools = taking(&json!({ "type": "integer" }));
    let here = std::env::temp_dir();
    let error = contract::check(&tools, &here).expect_err("a folder").to_string();
    assert!(error.contains("cannot be read"), "{error}");
    let error =
        contract::check(&tools, here.join("mcp-tool-boundaries-no-such.lock.json")).expect_err("no file").to_string();
    assert!(error.contains("does not exist"), "{error}");
}
