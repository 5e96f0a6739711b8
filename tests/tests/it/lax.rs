//! The leniency of the builder: texts that spell what was expected.

use mcp_tool_runtime::{Dispatcher, json, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run::{message, value};

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
fn i3_lax_reads_texts_as_what_they_spell_at_every_depth() {
    let given = value(
        &served(true),
        "echo",
        json!({"number": " 3 ", "flag": "true", "points": "[{\"x\": \"1\", \"y\": 2}]", "text": "3"}),
    );
    assert_eq!(given, json!([3, true, [{"x": 1, "y": 2}], "3"]));
}

#[test]
fn i3_lax_forgives_no_text_that_spells_something_else() {
    let arguments = json!({"number": "three", "points": [], "flag": "yes"});
    let told =
        "invalid arguments:\n- number: expected an integer, got a string\n- flag: expected a boolean, got a string";
    let mut lines: Vec<_> = told.lines().collect();
    let answer = message(&served(true), "echo", arguments);
    let mut answered: Vec<_> = answer.lines().collect();
    lines.sort_unstable();
    answered.sort_unstable();
    assert_eq!(answered, lines);
}

#[test]
fn i3_without_lax_a_text_is_a_text() {
    let arguments = json!({"number": "3", "points": []});
    let told = message(&served(false), "echo", arguments);
    assert_eq!(told, "invalid arguments: number: expected an integer, got a string");
}

#[test]
fn i4_texts_in_texts_go_no_deeper_than_a_document() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Nest(Vec<Nest>);

    /// Give it back.
    #[mcp_tool]
    async fn deep(nest: Nest) -> bool {
        nest.0.is_empty()
    }

    let nested = |depth: usize, innermost: Value| (0..depth).fold(innermost, |inner, _| json!([inner]));
    let text = |depth: usize| json!(nested(depth, json!([])).to_string());
    let dispatcher = Dispatcher::builder().tools(tools![deep]).lax(true).build().expect("one tool");
    assert_eq!(value(&dispatcher, "deep", json!({"nest": nested(50, text(50))})), false);
    let told = message(&dispatcher, "deep", json!({"nest": nested(80, text(80))}));
    assert_eq!(told, format!("invalid arguments: nest{}: expected an array, got a string", "[0]".repeat(80)));
}
