//! What `build` says about types that serde can never read.

use std::collections::BTreeMap;

use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::run;

#[derive(Deserialize, JsonSchema)]
struct Votes {
    name: String,
    #[serde(flatten)]
    by_id: BTreeMap<u32, u8>,
}

/// Count votes.
#[mcp_tool]
async fn count(votes: Votes) -> usize {
    votes.name.len() + votes.by_id.len()
}

/// Count votes directly.
#[mcp_tool]
async fn count_directly(name: String, #[serde(flatten)] by_id: BTreeMap<i64, u8>) -> usize {
    name.len() + by_id.len()
}

/// Count votes in a map.
#[mcp_tool]
async fn count_map(by_id: BTreeMap<u32, u8>) -> usize {
    by_id.len()
}

/// Count named votes.
#[mcp_tool]
async fn count_named(name: String, #[serde(flatten)] by_name: BTreeMap<String, u8>) -> usize {
    name.len() + by_name.len()
}

#[test]
fn t17_a_flattened_map_with_integer_keys_is_an_error_of_build() {
    let faults = run::faults(Dispatcher::builder().tools(tools![count, count_directly]));
    let text = "a flattened map with integer keys, which serde cannot read: use `String` as the type of the keys, or do not flatten \
                the map";
    assert_eq!(
        faults,
        [
            format!("tool `count`: input schema: `votes`: {text}"),
            format!("tool `count_directly`: input schema: the root: {text}"),
        ]
    );
    let dispatcher = run::serve(tools![count_map, count_named]);
    assert_eq!(run::value(&dispatcher, "count_map", json!({"by_id": {"1": 2}})), 1);
    assert_eq!(run::value(&dispatcher, "count_named", json!({"name": "", "a": 1})), 1);
}

#[test]
fn t17_a_number_that_is_an_integer_to_some_validators_only_is_refused_where_it_matters() {
    let number = json!({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 2}]});
    let schema = json!({"type": "object", "properties": {"list": {"type": "array", "items": number}}});
    let dispatcher = run::built(run::exact().tool(run::taking("take", schema.clone())));
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let expected = "invalid arguments: list[1]: expected a number below 2^53, or an integer of 64 bits without an exponent or a point";
    for number in ["1e20", "-1e20", "1e16", "1e300"] {
        let arguments: serde_json::Value = serde_json::from_str(&format!(r#"{{"list":[1,{number}]}}"#)).expect("JSON");
        assert_eq!(run::message(&dispatcher, "take", arguments), expected, "{number}");
    }
    for (number, accepts) in
        [("1", true), ("2.5", true), ("2", false), ("1.5", false), ("2.0", false), ("18446744073709551615", false)]
    {
        let arguments: serde_json::Value = serde_json::from_str(&format!(r#"{{"list":[{number}]}}"#)).expect("JSON");
        assert_eq!(validator.is_valid(&arguments), accepts, "{number}");
        assert_eq!(run::call(&dispatcher, "take", arguments).is_success(), accepts, "{number}");
    }
    // Anywhere else they are numbers.
    let schema = json!({"type": "object", "properties": {"n": {"anyOf": [{"type": "integer"}, {"type": "number"}]}}});
    let dispatcher = run::built(run::exact().tool(run::taking("take", schema)));
    assert!(run::call(&dispatcher, "take", json!({"n": 1e20})).is_success());
}
