//! Changes of one keyword that break a contract, and changes beside them that do not.

use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_tool_runtime::contract;
use serde_json::{Value, json};

use crate::one_argument::taking;

/// A number that is also a float, but that not all programs read as the same number.
const LARGE: u64 = 10_000_000_000_000_000;

/// Returns how many breaks the change of the schema of `v` is. Tests that run at the same time need files of their own.
fn breaks(then: &Value, now: &Value) -> usize {
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("mcp-tool-boundaries-{}-{number}.lock.json", std::process::id()));
    contract::write(&taking(then), &file).expect("a file");
    let result = contract::check(&taking(now), &file);
    std::fs::remove_file(&file).expect("the file");
    result.map_or_else(|error| error.errors().len(), |()| 0)
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
        ("fractions", json!({ "multipleOf": 0.5, "minimum": 1 }), json!({ "multipleOf": 0.5 })),
        ("unique", json!({ "uniqueItems": true, "maxItems": 3 }), json!({ "uniqueItems": true, "maxItems": 5 })),
        ("texts", json!({ "enum": ["a", 5] }), json!({ "minimum": 3 })),
        (
            "patterns",
            json!({ "patternProperties": { "^x": {} }, "additionalProperties": { "type": "integer" } }),
            json!({ "patternProperties": { "^x": {} }, "additionalProperties": { "type": "number" } }),
        ),
        ("lists", json!({ "const": [1] }), json!({ "oneOf": [{ "const": [1] }, { "const": [2] }] })),
        // No value is accepted, for two reasons.
        ("never", json!({ "allOf": [{ "not": {} }, { "not": {} }] }), json!({ "type": "string" })),
        // No value is an integer and 1.5.
        ("nothing", json!({ "type": "integer", "enum": [1.5] }), json!({ "type": "string" })),
    ] {
        assert_eq!(breaks(&then, &now), 0, "{name}");
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
        (
            "duplicates",
            json!({ "type": "array", "uniqueItems": false }),
            json!({ "type": "array", "uniqueItems": true }),
        ),
        // Both branches accept the value, so `oneOf` refuses it.
        ("both", json!({ "const": 1 }), json!({ "oneOf": [{ "const": 1 }, { "const": 1.0 }] })),
        ("both lists", json!({ "const": [1] }), json!({ "oneOf": [{ "const": [1] }, { "enum": [[1.0], 2] }] })),
        (
            "both objects",
            json!({ "const": { "a": 1 } }),
            json!({ "oneOf": [{ "const": { "a": 1 } }, { "const": { "a": 1.0 } }] }),
        ),
        ("both large", json!({ "const": LARGE }), json!({ "oneOf": [{ "const": LARGE }, { "const": 1e16 }] })),
        // The two lists have one value in common.
        ("common", json!({ "enum": [LARGE], "allOf": [{ "enum": [1e16] }] }), json!({ "const": 5 })),
        // Some validators accept a large float as an integer.
        ("large", json!({ "type": "integer", "enum": [1e300] }), json!({ "type": "string" })),
        ("second", array(json!([integer, text]), &flag), array(json!([integer]), &flag)),
    ] {
        assert_ne!(breaks(&then, &now), 0, "{name}");
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

#[test]
fn twenty_thousand_schemas_are_compared_and_one_more_is_a_break() {
    // Each of 199 properties takes 100 comparisons: its schema, the target of the reference and 98 parts. Two are for the arguments
    // and for `v`.
    let wider = json!({ "type": ["integer", "null"] });
    let object = |others: usize, schema: &Value, referring: &Value| {
        let one = |index: usize| (format!("p{index}"), if index < 199 { referring.clone() } else { schema.clone() });
        let properties: serde_json::Map<_, _> = (0..199 + others).map(one).collect();
        json!({ "type": "object", "properties": properties, "$defs": { "d": { "allOf": vec![&wider; 98] } } })
    };
    let integer = json!({ "type": "integer" });
    let target = json!({ "$ref": "#/properties/v/$defs/d" });
    let breaks = |others| breaks(&object(others, &integer, &integer), &object(others, &wider, &target));
    assert_eq!(breaks(98), 0);
    assert_ne!(breaks(99), 0);
}
