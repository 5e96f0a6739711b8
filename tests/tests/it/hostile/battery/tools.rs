//! Tools that read their arguments in ways of their own, with arguments that each takes.

use std::collections::{BTreeMap, BTreeSet};

use mcp_tool_runtime::{ToolHandler, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Item {
    #[serde(alias = "title")]
    name: String,
    #[serde(default)]
    tags: Vec<String>,
    count: Option<u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Shape {
    Point { x: f64, y: f64 },
    Line(Vec<(f64, f64)>),
    Group { shapes: Vec<Shape>, label: Option<String> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Step {
    Go { to: String },
    Wait { seconds: u32 },
    Repeat { steps: Vec<Step> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Page {
    #[serde(rename = "pageSize")]
    page_size: Option<u32>,
    cursor: Option<String>,
}

/// Store items.
#[mcp_tool]
async fn store(items: Vec<Item>, #[serde(alias = "label")] comment: Option<String>) -> usize {
    items.len() + comment.map_or(0, |comment| comment.len())
}

/// Draw shapes.
#[mcp_tool]
async fn draw(shapes: Vec<Shape>) -> usize {
    shapes.len()
}

/// Run steps.
#[mcp_tool]
async fn perform(steps: Vec<Step>) -> Vec<Step> {
    steps
}

/// Count votes.
#[mcp_tool]
async fn votes(by_id: BTreeMap<u32, u8>, #[serde(flatten)] more: BTreeMap<String, Value>) -> usize {
    by_id.len() + more.len()
}

/// List a page.
#[mcp_tool]
async fn page(#[serde(flatten)] page: Page, #[schemars(length(max = 20))] words: Vec<String>) -> usize {
    drop(page);
    words.len()
}

/// Echo anything.
#[mcp_tool(allow_unknown)]
async fn anything(value: Value) -> Value {
    value
}

/// Sort labels, which are unique, and match a code with groups.
#[mcp_tool]
async fn sort(
    labels: BTreeSet<(u8, String)>,
    #[schemars(regex(pattern = r"^((a|b)+c?)*$"))] code: String,
) -> Vec<(u8, String)> {
    labels.into_iter().filter(|_| code.len() > 1).collect()
}

/// Give a text back.
#[mcp_tool]
async fn text(text: String) -> String {
    text
}

/// The tools.
pub(crate) fn tools() -> Vec<Box<dyn ToolHandler>> {
    tools![store, draw, perform, votes, page, sort, anything, text]
}

/// Arguments for each tool, by its name.
pub(crate) fn bases() -> Vec<(&'static str, Value)> {
    vec![
        ("store", json!({"items": [{"name": "a", "tags": ["b"], "count": 1}], "comment": "c"})),
        ("draw", json!({"shapes": [{"shapes": [{"x": 1, "y": 2.5}, [[1, 2], [3, 4]]], "label": "l"}]})),
        (
            "perform",
            json!({"steps": [{"kind": "repeat", "steps": [{"kind": "go", "to": "a"}, {"kind": "wait", "seconds": 3}]}]}),
        ),
        ("votes", json!({"by_id": {"1": 2, "7": 3}, "ann": [1, {"a": "b"}]})),
        ("page", json!({"pageSize": 10, "cursor": "c", "words": ["a", "b"]})),
        ("sort", json!({"labels": [[1, "a"], [2, "b"]], "code": "abcab"})),
        ("anything", json!({"value": {"a": [1, "b", {"c": null}]}})),
        ("text", json!({"text": "a"})),
    ]
}

#[test]
fn the_arguments_are_valid() {
    let dispatcher = crate::run::built(crate::run::exact().tools(tools()));
    for (name, arguments) in bases() {
        let response = crate::run::call(&dispatcher, name, arguments);
        assert!(response.is_success(), "{name}: {:?}", response.error());
    }
}
