//! The schema of one value: booleans, formats, enums, tuples, and the two serde contracts.

use std::collections::BTreeMap;
use std::net::IpAddr;

use mcp_tool_runtime::{mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{input, lines, message, output, property, serve, value};
use crate::sample_tools;

/// Collects the paths of boolean schemas under `properties`, `items` and `additionalProperties`. Clients expect `false` as the
/// `additionalProperties` of a closed object, so this one is skipped.
fn booleans(schema: &Value, path: &str, found: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else { return };
    for (keyword, held) in keywords {
        let path = format!("{path}/{keyword}");
        match (keyword.as_str(), held) {
            ("properties", Value::Object(named)) => {
                for (name, child) in named {
                    let path = format!("{path}/{name}");
                    found.extend(child.is_boolean().then(|| path.clone()));
                    booleans(child, &path, found);
                }
            }
            ("additionalProperties", Value::Bool(false)) => {}
            ("items" | "additionalProperties", child) => {
                found.extend(child.is_boolean().then(|| path.clone()));
                booleans(child, &path, found);
            }
            ("oneOf" | "anyOf" | "allOf" | "prefixItems", Value::Array(children)) => {
                for child in children {
                    booleans(child, &path, found);
                }
            }
            ("$defs", Value::Object(named)) => {
                for child in named.values() {
                    booleans(child, &path, found);
                }
            }
            _ => {}
        }
    }
}

#[test]
fn t4_values_have_no_boolean_schemas() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Strict {
        any: Value,
    }

    /// Take anything.
    #[mcp_tool]
    async fn anything(any: Value, list: Vec<Value>, map: BTreeMap<String, Value>, strict: Strict) -> Vec<Value> {
        drop((any, map, strict));
        list
    }

    let dispatcher = serve(tools![anything]);
    let mut found = Vec::new();
    for tool in dispatcher.list().iter().chain(sample_tools::dispatcher().list()) {
        booleans(&tool.input_schema, &format!("{}/input", tool.name), &mut found);
        booleans(&tool.output_schema.clone().unwrap_or_default(), &format!("{}/output", tool.name), &mut found);
    }
    assert_eq!(found, [""; 0]);
    let any = json!({"description": "any JSON value"});
    assert_eq!(property(&dispatcher, "anything", "any"), any);
    assert_eq!(property(&dispatcher, "anything", "list"), json!({"type": "array", "items": any}));
    assert_eq!(property(&dispatcher, "anything", "map"), json!({"type": "object", "additionalProperties": any}));
    // A closed object is still closed.
    let refused =
        message(&dispatcher, "anything", json!({"any": 1, "list": [], "map": {}, "strict": {"any": 1, "more": 2}}));
    assert!(refused.contains("strict.more"), "{refused}");
}

#[test]
fn t5_numbers_up_to_32_bits_have_bounds_instead_of_formats() {
    /// Count.
    #[mcp_tool]
    #[allow(clippy::too_many_arguments)]
    async fn count(
        tiny: u8,
        #[schemars(range(min = -5, max = 1000))] small: i8,
        short: u16,
        medium: u32,
        signed: i32,
        large: u64,
        long: i64,
        single: f32,
        double: f64,
    ) -> (u64, i64) {
        let _ = (tiny, small, short, medium, signed, single, double);
        (large, long)
    }

    let dispatcher = serve(tools![count]);
    for (name, schema) in [
        ("tiny", json!({"type": "integer", "minimum": 0, "maximum": 255})),
        ("small", json!({"type": "integer", "minimum": -5, "maximum": 127})),
        ("short", json!({"type": "integer", "minimum": 0, "maximum": 65535})),
        ("medium", json!({"type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32})),
        ("signed", json!({"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX})),
        ("large", json!({"type": "integer", "minimum": 0})),
        ("long", json!({"type": "integer"})),
        ("single", json!({"type": "number", "minimum": -3.402_823_5e38, "maximum": 3.402_823_5e38})),
        ("double", json!({"type": "number"})),
    ] {
        assert_eq!(property(&dispatcher, "count", name), schema, "{name}");
    }
}

#[test]
fn t5_f32_max_and_min_are_accepted_as_serde_json_writes_them() {
    /// Echo.
    #[mcp_tool]
    async fn echo(number: f32) -> f32 {
        number
    }

    let dispatcher = serve(tools![echo]);
    for number in [f32::MAX, f32::MIN] {
        let text = serde_json::to_string(&number).expect("a number");
        let sent: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value(&dispatcher, "echo", json!({"number": sent})), sent);
    }
    assert_eq!(
        message(&dispatcher, "echo", json!({"number": 1e39})),
        "invalid arguments: number: expected 3.4028235e+38 or less"
    );
}

#[test]
fn t5_standard_formats_are_published_and_enforced() {
    /// Connect.
    #[mcp_tool]
    async fn connect(address: IpAddr, #[schemars(email)] contact: String) -> IpAddr {
        drop(contact);
        address
    }

    let dispatcher = serve(tools![connect]);
    assert_eq!(
        property(&dispatcher, "connect", "address"),
        json!({"type": "string", "anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]})
    );
    assert_eq!(property(&dispatcher, "connect", "contact"), json!({"type": "string", "format": "email"}));
    let ann = "ann@example.com";
    assert_eq!(value(&dispatcher, "connect", json!({"address": "::1", "contact": ann})), json!("::1"));
    assert_eq!(
        lines(&dispatcher, "connect", json!({"address": "localhost", "contact": "ann"})),
        [
            "- address: expected a string of format ipv4 or a string of format ipv6, got a string",
            "- contact: expected a string of format email, such as ann@example.com"
        ]
    );
}

#[test]
fn t7_documented_variants_become_an_enum_with_a_list_of_descriptions() {
    /// How to sort.
    #[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Sort {
        /// Newest first.
        Newest,
        /// Best first.
        BestRated,
    }

    #[derive(Deserialize, Serialize, JsonSchema)]
    enum Plain {
        Zulu,
        Alpha,
    }

    /// Sort.
    #[mcp_tool]
    async fn sort(by: Sort, #[serde(default)] then: Option<Sort>, plain: Plain) -> Sort {
        let _ = plain;
        then.unwrap_or(by)
    }

    let dispatcher = serve(tools![sort]);
    let expected = json!({
        "description": "How to sort.\n\n- `newest`: Newest first.\n- `best_rated`: Best first.",
        "type": "string",
        "enum": ["newest", "best_rated"]
    });
    assert_eq!(property(&dispatcher, "sort", "by"), expected);
    assert_eq!(property(&dispatcher, "sort", "then"), expected);
    assert_eq!(output(&dispatcher, "sort"), expected);
    assert_eq!(property(&dispatcher, "sort", "plain"), json!({"type": "string", "enum": ["Zulu", "Alpha"]}));
    assert!(!input(&dispatcher, "sort").to_string().contains("oneOf"));
}

#[test]
fn t9_a_tuple_has_items_and_prefix_items() {
    /// Swap.
    #[mcp_tool]
    async fn swap(pair: (String, u8), same: (bool, bool)) -> (bool, String) {
        (same.0, pair.0)
    }

    let dispatcher = serve(tools![swap]);
    let (text, tiny) = (json!({"type": "string"}), json!({"type": "integer", "minimum": 0, "maximum": 255}));
    assert_eq!(
        property(&dispatcher, "swap", "pair"),
        json!({"type": "array", "prefixItems": [text, tiny], "items": {"anyOf": [text, tiny]}, "minItems": 2, "maxItems": 2})
    );
    let flag = json!({"type": "boolean"});
    assert_eq!(property(&dispatcher, "swap", "same")["items"], flag);
    assert_eq!(output(&dispatcher, "swap")["items"], json!({"anyOf": [flag, text]}));
    assert_eq!(value(&dispatcher, "swap", json!({"pair": ["a", 1], "same": [true, false]})), json!([true, "a"]));
    assert_eq!(
        lines(&dispatcher, "swap", json!({"pair": ["a"], "same": [true, false, true]})),
        ["- pair: expected at least 2 elements", "- same: expected at most 2 elements"]
    );
}

#[test]
fn t9_an_array_without_elements_has_items() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Empty();

    /// Nothing.
    #[mcp_tool]
    async fn nothing(none: [String; 0], empty: Empty) -> ([u8; 0], Empty) {
        let [] = none;
        ([], empty)
    }

    let dispatcher = serve(tools![nothing]);
    for name in ["none", "empty"] {
        let schema = property(&dispatcher, "nothing", name);
        assert!(schema["items"].is_object() && schema["maxItems"] == 0, "{schema}");
    }
    let result = output(&dispatcher, "nothing");
    assert!(result["prefixItems"][0]["items"].is_object(), "{result}");
    assert_eq!(value(&dispatcher, "nothing", json!({"none": [], "empty": []})), json!([[], []]));
}

#[test]
fn t10_input_and_output_use_their_own_serde_contract() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Both {
        #[serde(rename(serialize = "written", deserialize = "read"))]
        name: u8,
        #[serde(default)]
        defaulted: bool,
        #[serde(skip_serializing)]
        secret: String,
        #[serde(skip_deserializing)]
        derived: bool,
    }

    /// Both.
    #[mcp_tool]
    async fn both(#[mcp_tool(arguments)] both: Both) -> Both {
        both
    }

    let dispatcher = serve(tools![both]);
    let keys =
        |schema: &Value| schema["properties"].as_object().expect("properties").keys().cloned().collect::<Vec<_>>();
    let (input, output) = (input(&dispatcher, "both"), output(&dispatcher, "both"));
    assert_eq!(keys(&input), ["read", "defaulted", "secret"]);
    assert_eq!(input["required"], json!(["read", "secret"]));
    assert_eq!(keys(&output), ["written", "defaulted", "derived"]);
    assert_eq!(output["required"], json!(["written", "defaulted", "derived"]));
    assert_eq!(
        value(&dispatcher, "both", json!({"read": 1, "secret": "s"})),
        json!({"written": 1, "defaulted": false, "derived": false})
    );
}
