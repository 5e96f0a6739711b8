//! Unions that contain themselves: what they admit, what their faults say, and that both take no time without end.

use mcp_tool_runtime::{Dispatcher, json, mcp_tool, serde_json::Value, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::run::{message, value};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Expression {
    Number { value: f64 },
    Add { left: Box<Expression>, right: Option<i32> },
    Subtract { left: Box<Expression>, right: Option<i32> },
    Multiply { left: Box<Expression>, right: Option<i32> },
    Negate { left: Box<Expression>, right: Option<i32> },
}

/// Give the expression back.
#[mcp_tool]
async fn simplify(expression: Expression) -> Expression {
    expression
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    A { x: () },
    B { x: Option<i32> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    A { x: Value, a: i32 },
    B { x: Option<i32> },
}

/// Give both back.
#[mcp_tool]
async fn both(tagged: Tagged, untagged: Untagged) -> Value {
    json!([tagged, untagged])
}

fn served() -> Dispatcher {
    Dispatcher::builder().tools(tools![simplify, both]).build().expect("two tools")
}

/// An expression of this depth around an innermost one, each level with the same right side.
fn nested(depth: usize, right: &Value, innermost: Value) -> Value {
    (0..depth).fold(innermost, |left, level| {
        let op = ["add", "subtract", "multiply", "negate"][level % 4];
        json!({"op": op, "left": left, "right": right})
    })
}

#[test]
fn i4_nulls_in_a_union_that_contains_itself_take_no_time_without_end() {
    let expression = nested(50, &Value::Null, json!({"op": "number", "value": 1}));
    let given = value(&served(), "simplify", json!({"expression": expression}));
    assert_eq!(given["op"], "subtract");
    assert_eq!(given["right"], Value::Null);
}

#[test]
fn i1_a_fault_deep_in_a_union_that_contains_itself_is_told_by_its_path() {
    let expression = nested(40, &json!(7), json!({"op": "number", "value": "seven"}));
    let told = message(&served(), "simplify", json!({"expression": expression}));
    let path = format!("expression{}.value", ".left".repeat(40));
    assert_eq!(told, format!("invalid arguments: {path}: expected a number, got a string"));
}

#[test]
fn i1_what_the_branch_of_a_tag_misses_is_told_by_its_path() {
    let told = message(&served(), "simplify", json!({"expression": {"op": "negate", "left": {"op": "number"}}}));
    assert_eq!(told, "invalid arguments: expression.left.value: required, but missing");
    let told = message(&served(), "simplify", json!({"expression": {"op": "add", "right": 1}}));
    assert_eq!(told, "invalid arguments: expression.left: required, but missing");
}

#[test]
fn i1_a_name_with_a_slash_stays_itself_in_a_path() {
    /// Give it back.
    #[mcp_tool]
    async fn slashed(expression: Option<Expression>, #[serde(rename = "a/b")] both: i32) -> i32 {
        expression.map_or(both, |_| 0)
    }

    let dispatcher = Dispatcher::builder().tools(tools![slashed]).build().expect("one tool");
    let told = message(&dispatcher, "slashed", json!({"a/b": "x"}));
    assert_eq!(told, "invalid arguments: [\"a/b\"]: expected an integer, got a string");
}

#[test]
fn i1_a_union_whose_tag_is_unknown_names_its_forms() {
    let told = message(&served(), "simplify", json!({"expression": {"op": "divide"}}));
    assert!(told.starts_with("invalid arguments: expression: expected {\"op\": \"number\", \"value\": …}"), "{told}");
}

#[test]
fn i3_a_null_that_the_schema_admits_is_a_value() {
    let given = value(&served(), "both", json!({"tagged": {"kind": "A", "x": null}, "untagged": {"x": null, "a": 1}}));
    assert_eq!(given, json!([{"kind": "A", "x": null}, {"x": null, "a": 1}]));
}
