//! The builder's option `lax`: strings that spell the expected value.

use mcp_tool_runtime::{Dispatcher, json, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run::{lines, message, value};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Point {
    x: i32,
    y: i32,
}

/// Give everything back.
#[mcp_tool]
async fn echo(
    number: i64,
    #[serde(default)] flag: bool,
    points: Vec<Point>,
    text: Option<String>,
) -> (i64, bool, Vec<Point>, Option<String>) {
    (number, flag, points, text)
}

fn served(lax: bool) -> Dispatcher {
    Dispatcher::builder().tools(tools![echo]).lax(lax).build().expect("one tool")
}

#[test]
fn i3_lax_parses_strings_at_every_depth() {
    let given = value(
        &served(true),
        "echo",
        json!({"number": " 3 ", "flag": "true", "points": "[{\"x\": \"1\", \"y\": 2}]", "text": "3"}),
    );
    assert_eq!(given, json!([3, true, [{"x": 1, "y": 2}], "3"]));
}

#[test]
fn i3_lax_refuses_a_string_that_spells_another_type() {
    let arguments = json!({"number": "three", "points": [], "flag": "yes"});
    assert_eq!(
        lines(&served(true), "echo", arguments),
        ["- flag: expected a boolean, got a string", "- number: expected an integer, got a string"]
    );
}

#[test]
fn i3_without_lax_strings_are_not_parsed() {
    let arguments = json!({"number": "3", "points": []});
    let text = message(&served(false), "echo", arguments);
    assert_eq!(text, "invalid arguments: number: expected an integer, got a string");
}

#[test]
fn i4_lax_parses_no_string_that_would_nest_too_deep() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Nest(Vec<Nest>);

    /// Give it back.
    #[mcp_tool]
    async fn deep(nest: Nest) -> bool {
        nest.0.is_empty()
    }

    let nested = |depth: usize, innermost: Value| (0..depth).fold(innermost, |inner, _| json!([inner]));
    let spelled = |depth: usize| json!(nested(depth, json!([])).to_string());
    let dispatcher = Dispatcher::builder().tools(tools![deep]).lax(true).build().expect("one tool");
    assert_eq!(value(&dispatcher, "deep", json!({"nest": nested(50, spelled(50))})), false);
    let text = message(&dispatcher, "deep", json!({"nest": nested(80, spelled(80))}));
    assert_eq!(text, format!("invalid arguments: nest{}: expected an array, got a string", "[0]".repeat(80)));
}
