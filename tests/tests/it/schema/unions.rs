//! Recursive unions: the values they accept, their violations, and that both are found in reasonable time.

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

/// Returns the expression.
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

/// Returns both.
#[mcp_tool]
async fn both(tagged: Tagged, untagged: Untagged) -> Value {
    json!([tagged, untagged])
}

fn dispatcher() -> Dispatcher {
    Dispatcher::builder().tools(tools![simplify, both]).build().expect("two tools")
}

/// Nests an expression to this depth. Every level has the same right side.
fn nested(depth: usize, right: &Value, innermost: Value) -> Value {
    (0..depth).fold(innermost, |left, level| {
        let op = ["add", "subtract", "multiply", "negate"][level % 4];
        json!({"op": op, "left": left, "right": right})
    })
}

#[test]
fn i4_nulls_in_a_deep_recursive_union_are_coerced_in_reasonable_time() {
    let expression = nested(50, &Value::Null, json!({"op": "number", "value": 1}));
    let result = value(&dispatcher(), "simplify", json!({"expression": expression}));
    assert_eq!(result["op"], "subtract");
    assert_eq!(result["right"], Value::Null);
}

#[test]
fn i1_a_violation_deep_in_a_recursive_union_has_its_full_path() {
    let expression = nested(40, &json!(7), json!({"op": "number", "value": "seven"}));
    let text = message(&dispatcher(), "simplify", json!({"expression": expression}));
    let path = format!("expression{}.value", ".left".repeat(40));
    assert_eq!(text, format!("invalid arguments: {path}: expected a number, got a string"));
}

#[test]
fn i1_a_property_missing_from_a_tagged_branch_has_its_full_path() {
    let text = message(&dispatcher(), "simplify", json!({"expression": {"op": "negate", "left": {"op": "number"}}}));
    assert_eq!(text, "invalid arguments: expression.left.value: required, but missing");
    let text = message(&dispatcher(), "simplify", json!({"expression": {"op": "add", "right": 1}}));
    assert_eq!(text, "invalid arguments: expression.left: required, but missing");
}

#[test]
fn i1_a_property_name_with_a_slash_is_reported_unchanged() {
    /// Returns it.
    #[mcp_tool]
    async fn slashed(expression: Option<Expression>, #[serde(rename = "a/b")] both: i32) -> i32 {
        expression.map_or(both, |_| 0)
    }

    let dispatcher = Dispatcher::builder().tools(tools![slashed]).build().expect("one tool");
    let text = message(&dispatcher, "slashed", json!({"a/b": "x"}));
    assert_eq!(text, "invalid arguments: [\"a/b\"]: expected an integer, got a string");
}

#[test]
fn i1_an_unknown_tag_lists_the_forms_of_the_union() {
    let text = message(&dispatcher(), "simplify", json!({"expression": {"op": "divide"}}));
    assert!(text.starts_with("invalid arguments: expression: expected {\"op\": \"number\", \"value\": …}"), "{text}");
}

#[test]
fn i3_a_null_that_the_schema_accepts_is_kept() {
    let result =
        value(&dispatcher(), "both", json!({"tagged": {"kind": "A", "x": null}, "untagged": {"x": null, "a": 1}}));
    assert_eq!(result, json!([{"kind": "A", "x": null}, {"x": null, "a": 1}]));
}
