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

/// Return an object.
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

/// Return one of two kinds of objects.
#[mcp_tool(read_only_hint)]
async fn value_tagged(
    /// Return a circle instead of a square.
    #[serde(default)]
    round: bool,
) -> Shape {
    if round { Shape::Circle { radius: 1.0 } } else { Shape::Square { side: 2.0 } }
}

/// Return the largest integer that every JavaScript client reads exactly.
#[mcp_tool(read_only_hint)]
async fn value_integer() -> i64 {
    9_007_199_254_740_991
}

/// Return a number.
#[mcp_tool(read_only_hint)]
async fn value_number() -> f64 {
    0.1
}

/// Return a text that JSON must escape.
#[mcp_tool(read_only_hint)]
async fn value_text() -> String {
    "a \"quoted\" line\nand über 🚪".to_owned()
}

/// Return a boolean.
#[mcp_tool(read_only_hint)]
async fn value_boolean() -> bool {
    true
}

/// Return an array of objects.
#[mcp_tool(read_only_hint)]
async fn value_array() -> Vec<Point> {
    vec![Point { x: 0.0, y: 1.0 }, Point { x: 2.0, y: 3.0 }]
}

/// Return a tuple.
#[mcp_tool(read_only_hint)]
async fn value_tuple() -> (String, u8) {
    ("seven".to_owned(), 7)
}

/// Return a map.
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
    #[expect(dead_code, reason = "part of the schema")]
    Blue,
}

/// Return a variant of an enum.
#[mcp_tool(read_only_hint)]
async fn value_enum() -> Colour {
    Colour::Red
}

/// Return an object or `null`.
#[mcp_tool(read_only_hint)]
async fn value_nullable(
    /// Return an object instead of `null`.
    #[serde(default)]
    there: bool,
) -> Option<Point> {
    there.then_some(Point { x: 0.0, y: 0.0 })
}

/// Return any JSON value.
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

/// Return a number or an object.
#[mcp_tool(read_only_hint)]
async fn value_mixed(
    /// Return a number instead of an object.
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

/// Return the tree from the arguments.
#[mcp_tool(read_only_hint)]
async fn value_recursive(tree: Tree) -> Tree {
    tree
}

/// Return nothing.
#[mcp_tool(read_only_hint)]
async fn value_nothing() {}

/// Return a value with a text of its own.
#[mcp_tool(read_only_hint, text = directions)]
async fn value_in_words() -> Point {
    Point { x: 3.0, y: 4.0 }
}

fn directions(point: &Point) -> String {
    format!("{} to the east, {} to the north", point.x, point.y)
}

/// Return a value and a resource link.
#[mcp_tool(read_only_hint)]
async fn value_with_link() -> Structured<u32> {
    Structured::new(1204)
        .with_content(ResourceLink::new("file:///var/log/app.log", "app.log"))
        .with_meta("com.example/source", "log")
}

/// Return a value without text.
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

/// Return the arguments.
#[mcp_tool(read_only_hint)]
async fn value_echoed(#[mcp_tool(arguments)] echo: Echo) -> Echo {
    echo
}
