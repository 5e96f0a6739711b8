//! Optional arguments: how they are published, and what `null` means for them.

use std::collections::BTreeMap;

use mcp_tool_runtime::{mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::run::{input, lines, message, property, serve, value};

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Filter {
    /// How many.
    limit: Option<u32>,
    #[serde(default)]
    tags: Vec<String>,
    inner: Option<Box<Filter>>,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
struct Point {
    x: i64,
    y: Option<i64>,
}

fn twenty() -> u8 {
    20
}

/// Search.
#[mcp_tool]
async fn search(
    query: Option<String>,
    /// Around here.
    near: Option<Point>,
    #[serde(default = "twenty")] limit: u8,
    #[serde(default)] exact: bool,
    #[serde(default)] filter: Filter,
    choice: Option<Vec<Option<u8>>>,
) -> serde_json::Value {
    json!({"query": query, "near": near, "limit": limit, "exact": exact, "filter": filter, "choice": choice})
}

#[test]
fn t8_an_optional_property_has_the_plain_schema() {
    let dispatcher = serve(tools![search]);
    assert!(input(&dispatcher, "search").get("required").is_none());
    assert_eq!(property(&dispatcher, "search", "query"), json!({"type": "string"}));
    let near = property(&dispatcher, "search", "near");
    assert_eq!(
        near,
        json!({
            "description": "Around here.",
            "type": "object",
            "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
            "required": ["x"]
        })
    );
    // An element cannot be absent, so its `null` is published.
    assert_eq!(property(&dispatcher, "search", "choice")["items"]["type"], json!(["integer", "null"]));
}

#[test]
fn t8_optional_properties_have_the_plain_schema_at_every_depth() {
    let filter = property(&serve(tools![search]), "search", "filter");
    let text = filter.to_string();
    assert!(!text.contains("null"), "{text}");
    let defined = input(&serve(tools![search]), "search")["$defs"]["Filter"].clone();
    let filter = if filter["properties"].is_object() { filter } else { defined };
    let limit = &filter["properties"]["limit"];
    assert_eq!(*limit, json!({"description": "How many.", "type": "integer", "minimum": 0, "maximum": u32::MAX}));
    assert!(!filter["properties"]["inner"].to_string().contains("null"), "{filter}");
}

#[test]
fn t8_the_default_of_an_optional_property_is_published() {
    let dispatcher = serve(tools![search]);
    assert_eq!(property(&dispatcher, "search", "limit")["default"], json!(20));
    assert_eq!(property(&dispatcher, "search", "exact")["default"], json!(false));
    assert_eq!(property(&dispatcher, "search", "filter")["default"], json!({"tags": []}));
    assert!(property(&dispatcher, "search", "query").get("default").is_none());
}

#[test]
fn i2_arguments_that_are_missing_or_null_are_an_empty_object() {
    let dispatcher = serve(tools![search]);
    let none = value(&dispatcher, "search", json!({}));
    assert_eq!(none["limit"], 20);
    assert_eq!(value(&dispatcher, "search", json!(null)), none);
    let mut request = mcp_tool_runtime::CallToolRequest::new("search", json!({}));
    request.arguments = None;
    let response = crate::run::send(&dispatcher, request);
    assert_eq!(response.deserialize::<serde_json::Value>().expect("a value"), none);
}

#[test]
fn i3_null_for_an_optional_argument_is_absent_at_every_depth() {
    let dispatcher = serve(tools![search]);
    let nulls = json!({
        "query": null, "near": null, "limit": null, "exact": null, "choice": null,
        "filter": {"limit": null, "tags": null, "inner": {"limit": null, "tags": null}}
    });
    let absent = json!({"filter": {"inner": {}}});
    assert_eq!(value(&dispatcher, "search", nulls), value(&dispatcher, "search", absent));
    let returned = value(&dispatcher, "search", json!({"choice": [null, 1], "near": {"x": 1, "y": null}}));
    assert_eq!(returned["choice"], json!([null, 1]));
}

#[test]
fn i3_null_for_a_required_argument_or_an_element_is_refused() {
    let dispatcher = serve(tools![search]);
    assert_eq!(
        lines(&dispatcher, "search", json!({"near": {"x": null}, "filter": {"tags": [null]}})),
        ["- filter.tags[0]: expected a string, got null", "- near.x: expected an integer, got null"]
    );
    assert_eq!(message(&dispatcher, "search", json!({"nothing": null})), "invalid arguments: nothing: not known");
}

#[test]
fn i3_null_in_a_map_is_refused() {
    /// Count.
    #[mcp_tool]
    async fn tally(votes: BTreeMap<String, u8>, #[serde(flatten)] more: BTreeMap<String, bool>) -> usize {
        votes.len() + more.len()
    }

    let dispatcher = serve(tools![tally]);
    assert_eq!(
        lines(&dispatcher, "tally", json!({"votes": {"ann": null, "bob": 1}, "more": null})),
        ["- more: expected a boolean, got null", "- votes.ann: expected an integer, got null"]
    );
}

#[test]
fn i3_null_for_an_optional_property_of_a_variant_is_absent() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum Shape {
        Circle { radius: f64, label: Option<String> },
        Named(Named),
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Named {
        name: Option<String>,
    }

    /// Draw.
    #[mcp_tool]
    async fn draw(shape: Shape, others: Vec<Shape>) -> Vec<Shape> {
        others.into_iter().chain([shape]).collect()
    }

    let dispatcher = serve(tools![draw]);
    let drawn = value(
        &dispatcher,
        "draw",
        json!({
            "shape": {"kind": "circle", "radius": 1.5, "label": null},
            "others": [{"kind": "named", "name": null}, {"kind": "named"}]
        }),
    );
    assert_eq!(drawn[2]["radius"], 1.5);
}

/// A chain that ends with `null`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Chain {
    End(()),
    Link { next: Option<Box<Chain>> },
}

/// Return the length of a chain.
#[mcp_tool]
async fn length(#[serde(default = "end")] chain: Chain) -> u32 {
    let mut next = Some(&chain);
    let mut length = 0;
    while let Some(Chain::Link { next: below }) = next {
        length += 1;
        next = below.as_deref();
    }
    length
}

fn end() -> Chain {
    Chain::End(())
}

#[test]
fn t8_a_recursive_type_that_accepts_null_stays_a_definition() {
    let dispatcher = serve(tools![length]);
    let chain = property(&dispatcher, "length", "chain");
    assert_eq!(chain["$ref"], "#/$defs/Chain");
    for (arguments, expected) in [
        (json!({}), 0),
        (json!({ "chain": null }), 0),
        (json!({ "chain": {} }), 1),
        (json!({ "chain": { "next": null } }), 1),
        (json!({ "chain": { "next": { "next": {} } } }), 3),
    ] {
        assert_eq!(value(&dispatcher, "length", arguments), json!(expected));
    }
    assert!(message(&dispatcher, "length", json!({ "chain": { "next": 1 } })).contains("chain.next"));
}

/// A JSON value without objects.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Nested {
    Nil,
    Text(String),
    Many(Vec<Nested>),
}

/// Count the texts.
#[mcp_tool]
async fn count(#[serde(default)] nested: Option<Nested>) -> usize {
    fn texts(nested: &Nested) -> usize {
        match nested {
            Nested::Nil => 0,
            Nested::Text(text) => usize::from(!text.is_empty()),
            Nested::Many(many) => many.iter().map(texts).sum(),
        }
    }
    nested.as_ref().map_or(0, texts)
}

#[test]
fn t8_an_optional_recursive_type_is_published_without_null() {
    let dispatcher = serve(tools![count]);
    let nested = property(&dispatcher, "count", "nested");
    let branches = nested["anyOf"].as_array().unwrap_or_else(|| panic!("{nested}"));
    assert_eq!(branches.iter().map(|branch| &branch["type"]).collect::<Vec<_>>(), ["string", "array"]);
    assert_eq!(value(&dispatcher, "count", json!({ "nested": ["a", null, ["b"]] })), json!(2));
}
