//! One tool for each kind of structured value.

use std::collections::BTreeMap;

use mcp_tool_runtime::{ResourceLink, Structured, ToolHandler, json, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) fn all() -> Vec<Box<dyn ToolHandler>> {
    tools![
        value_object,
        value_tagged,
        value_integer,
        value_number,
        value_text,
        value_boolean,
        value_array,
        value_tuple,
        value_map,
        value_enum,
        value_nullable,
        value_any,
        value_mixed,
        value_recursive,
        value_nothing,
        value_in_words,
        value_with_link,
        value_without_text,
        value_echoed,
    ]
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Point {
    x: f64,
    y: f64,
}

/// Answer with an object.
#[mcp_tool(read_only_hint)]
async fn value_object() -> Point {
    Point { x: 1.5, y: -2.0 }
}

#[derive(Serialize, JsonSchema)]
#[serde(tag = "shape", rename_all = "snake_case")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

/// Answer with one of several objects.
#[mcp_tool(read_only_hint)]
async fn value_tagged(
    /// Whether it shall be round.
    #[serde(default)]
    round: bool,
) -> Shape {
    if round { Shape::Circle { radius: 1.0 } } else { Shape::Square { side: 2.0 } }
}

/// Answer with a whole number, beyond what a double can hold exactly.
#[mcp_tool(read_only_hint)]
async fn value_integer() -> i64 {
    9_007_199_254_740_991
}

/// Answer with a number.
#[mcp_tool(read_only_hint)]
async fn value_number() -> f64 {
    0.1
}

/// Answer with a text that JSON must escape.
#[mcp_tool(read_only_hint)]
async fn value_text() -> String {
    "a \"quoted\" line\nand über 🚪".to_owned()
}

/// Answer with yes or no.
#[mcp_tool(read_only_hint)]
async fn value_boolean() -> bool {
    true
}

/// Answer with several objects.
#[mcp_tool(read_only_hint)]
async fn value_array() -> Vec<Point> {
    vec![Point { x: 0.0, y: 1.0 }, Point { x: 2.0, y: 3.0 }]
}

/// Answer with two values of different kinds.
#[mcp_tool(read_only_hint)]
async fn value_tuple() -> (String, u8) {
    ("seven".to_owned(), 7)
}

/// Answer with values under names.
#[mcp_tool(read_only_hint)]
async fn value_map() -> BTreeMap<String, u32> {
    BTreeMap::from([("one".to_owned(), 1), ("two".to_owned(), 2)])
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Colour {
    /// Like a rose.
    Red,
    /// Like the sky.
    #[expect(dead_code, reason = "shows in the schema")]
    Blue,
}

/// Answer with one of several words.
#[mcp_tool(read_only_hint)]
async fn value_enum() -> Colour {
    Colour::Red
}

/// Answer with an object, or with nothing.
#[mcp_tool(read_only_hint)]
async fn value_nullable(
    /// Whether there shall be something.
    #[serde(default)]
    there: bool,
) -> Option<Point> {
    there.then_some(Point { x: 0.0, y: 0.0 })
}

/// Answer with a value that no schema describes.
#[mcp_tool(read_only_hint)]
async fn value_any() -> Value {
    json!([1, "two", null, {"three": 3.5}])
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Mixed {
    Number(i32),
    Point(Point),
}

/// Answer with a number or with an object.
#[mcp_tool(read_only_hint)]
async fn value_mixed(
    /// Whether it shall be a number.
    #[serde(default)]
    number: bool,
) -> Mixed {
    if number { Mixed::Number(-1) } else { Mixed::Point(Point { x: 1.0, y: 1.0 }) }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Tree {
    name: String,
    #[serde(default)]
    children: Vec<Tree>,
}

/// Answer with the tree that was sent.
#[mcp_tool(read_only_hint)]
async fn value_recursive(tree: Tree) -> Tree {
    tree
}

/// Answer that it is done.
#[mcp_tool(read_only_hint)]
async fn value_nothing() {}

/// Answer with a value, and with words for it.
#[mcp_tool(read_only_hint, text = in_words)]
async fn value_in_words() -> Point {
    Point { x: 3.0, y: 4.0 }
}

fn in_words(point: &Point) -> String {
    format!("{} to the east, {} to the north", point.x, point.y)
}

/// Answer with a value and a link.
#[mcp_tool(read_only_hint)]
async fn value_with_link() -> Structured<u32> {
    Structured::new(1204)
        .with_content(ResourceLink::new("file:///var/log/app.log", "app.log"))
        .with_meta("com.example/source", "log")
}

/// Answer with a value and no text.
#[mcp_tool(read_only_hint)]
async fn value_without_text() -> Structured<Point> {
    Structured::new(Point { x: 5.0, y: 6.0 }).without_text()
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Echo {
    text: Option<String>,
    #[schemars(range(min = 0, max = 9))]
    digit: Option<u8>,
    flags: Vec<bool>,
    #[serde(default)]
    names: BTreeMap<String, String>,
}

/// Answer with the arguments.
#[mcp_tool(read_only_hint)]
async fn value_echoed(#[mcp_tool(arguments)] echo: Echo) -> Echo {
    echo
}
