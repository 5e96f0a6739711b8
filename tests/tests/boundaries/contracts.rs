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
        // Some validators accept a large float as an integer.
        ("large", json!({ "type": "integer", "enum": [1e300] }), json!({ "type": "string" })),
        ("second", array(json!([integer, text]), &flag), array(json!([integer]), &flag)),
    ] {
        assert_ne!(breaks(name, &then, &now), 0, "{name}");
    }
}
