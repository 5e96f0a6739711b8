//! Values at the edge of what a type holds.

use mcp_tool_runtime::{mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::one_argument::{accepts, taking};
use crate::run;

#[derive(Serialize, JsonSchema)]
struct Pair(f64, f64);

/// Return two numbers.
#[mcp_tool]
async fn pair(divisor: f64) -> Pair {
    Pair(1.0 / divisor, 1.0)
}

#[test]
fn r6_infinity_in_a_tuple_struct_is_no_result() {
    let dispatcher = run::serve(tools![pair]);
    assert_eq!(run::value(&dispatcher, "pair", json!({ "divisor": 2 })), json!([0.5, 1.0]));
    assert!(run::call(&dispatcher, "pair", json!({ "divisor": 0 })).error().is_some());
}

#[derive(Deserialize)]
enum Choice {
    First,
}

/// Take a choice whose schema permits everything.
#[mcp_tool]
async fn choose(#[schemars(with = "Value")] choice: Choice) -> bool {
    matches!(choice, Choice::First)
}

#[test]
fn i3_a_variant_without_content_takes_null_alone_as_its_content() {
    let dispatcher = run::serve(tools![choose]);
    assert_eq!(run::value(&dispatcher, "choose", json!({ "choice": { "First": null } })), true);
    let text = run::message(&dispatcher, "choose", json!({ "choice": { "First": 1 } }));
    assert!(text.contains("expected null, got an integer"), "{text}");
}

#[test]
fn i3_lax_reads_a_number_where_null_is_the_other_type() {
    let schema =
        json!({ "type": "object", "properties": { "v": { "anyOf": [{ "type": "null" }, { "type": "integer" }] } } });
    let dispatcher = run::built(run::exact().lax(true).tool(run::taking("t", schema)));
    assert_eq!(run::value(&dispatcher, "t", json!({ "v": "5" })), json!({ "v": 5 }));
}

#[test]
fn t15_a_constant_is_compared_by_value() {
    let is_equal = |one: &Value, other: &Value| {
        let found = accepts(&taking(&json!({ "const": one })), other);
        assert_eq!(accepts(&taking(&json!({ "enum": ["none", other] })), one), found, "{one} {other}");
        found
    };
    for (one, other) in [
        (json!(1), json!(1.0)),
        (json!(-1), json!(-1.0)),
        (json!(0), json!(-0.0)),
        (json!(0.5), json!(0.5)),
        (json!("a"), json!("a")),
        (json!([null]), json!([null])),
        (json!(false), json!(false)),
        (json!([1, [2]]), json!([1.0, [2]])),
        (json!({ "a": 1, "b": [] }), json!({ "b": [], "a": 1.0 })),
    ] {
        assert!(is_equal(&one, &other), "{one} {other}");
    }
    for (one, other) in [
        (json!(1), json!(2)),
        (json!(1), json!(true)),
        (json!(0), json!(false)),
        (json!([null]), json!([false])),
        (json!(true), json!(false)),
        (json!("1"), json!(1)),
        (json!("a"), json!("b")),
        (json!([1, 2]), json!([2, 1])),
        (json!([1]), json!([1, 1])),
        (json!([]), json!({})),
        (json!({ "a": 1 }), json!({ "a": 2 })),
        (json!({ "a": 1 }), json!({ "b": 1 })),
        (json!({ "a": 1 }), json!({ "a": 1, "b": 1 })),
        (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992.0)),
    ] {
        assert!(!is_equal(&one, &other), "{one} {other}");
    }
}

#[test]
fn t15_the_names_of_properties_have_a_schema_of_their_own() {
    let dispatcher = taking(&json!({ "type": "object", "propertyNames": { "maxLength": 1 } }));
    assert!(accepts(&dispatcher, &json!({ "a": 1, "b": 2 })));
    assert!(!accepts(&dispatcher, &json!({ "a": 1, "bc": 2 })));
}

#[test]
fn t15_elements_beyond_those_of_a_schema_are_unevaluated() {
    for count in [1, 63, 64, 65, 128, 130] {
        let first = vec![json!(true); count];
        let schema = json!({ "allOf": [{ "prefixItems": first }], "unevaluatedItems": false });
        let dispatcher = taking(&schema);
        assert!(accepts(&dispatcher, &json!(vec![0; count])), "{count}");
        assert!(!accepts(&dispatcher, &json!(vec![0; count + 1])), "{count}");
    }
}

#[test]
fn t15_equal_elements_are_refused_only_where_the_schema_says_so() {
    assert!(accepts(&taking(&json!({ "uniqueItems": false })), &json!([1, 1])));
    assert!(!accepts(&taking(&json!({ "uniqueItems": true })), &json!([1, 1])));
}
