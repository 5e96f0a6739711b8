//! Parameters of functions, and the arguments that clients send for them.

use std::collections::BTreeMap;
use std::path::Path;

use mcp_tool_runtime::{mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{input, lines, message, property, serve, value};

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Point {
    x: i64,
    #[serde(default)]
    y: i64,
}

/// A page of results.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Page {
    /// Which one.
    page: u32,
    #[serde(default, rename = "pageSize", alias = "per_page")]
    size: Option<u32>,
}

#[test]
fn references_borrow_from_the_call() {
    /// Lend all of it.
    #[mcp_tool]
    async fn borrow(
        text: &str,
        list: &[u8],
        path: &Path,
        point: &Point,
        maybe: Option<&str>,
        many: Option<&[Point]>,
    ) -> Value {
        json!([text, list, path, point, maybe, many])
    }

    let dispatcher = serve(tools![borrow]);
    let schema = input(&dispatcher, "borrow");
    assert_eq!(schema["required"], json!(["text", "list", "path", "point"]));
    assert_eq!(schema["properties"]["text"], json!({"type": "string"}));
    assert_eq!(schema["properties"]["list"]["type"], "array");
    assert_eq!(schema["properties"]["path"], json!({"type": "string"}));
    assert_eq!(schema["properties"]["maybe"], json!({"type": "string"}));
    assert_eq!(schema["properties"]["many"]["type"], "array");
    let arguments = json!({"text": "t\n", "list": [1], "path": "/a", "point": {"x": 1}, "many": [{"x": 2}]});
    assert_eq!(
        value(&dispatcher, "borrow", arguments),
        json!(["t\n", [1], "/a", {"x": 1, "y": 0}, null, [{"x": 2, "y": 0}]])
    );
    let arguments = json!({"text": "", "list": [], "path": "", "point": {"x": 1}, "maybe": null, "many": null});
    assert_eq!(value(&dispatcher, "borrow", arguments)[4], json!(null));
}

#[test]
fn one_parameter_can_be_the_whole_arguments_object() {
    /// Turn a page.
    #[mcp_tool]
    async fn turn(#[mcp_tool(arguments)] page: Page) -> Page {
        page
    }

    /// Borrow the whole arguments object.
    #[mcp_tool]
    async fn sum(#[mcp_tool(arguments)] point: &Point) -> i64 {
        point.x
    }

    let dispatcher = serve(tools![turn, sum]);
    let schema = input(&dispatcher, "turn");
    assert_eq!(schema["properties"]["page"]["description"], "Which one.");
    assert_eq!(schema["required"], json!(["page"]));
    assert_eq!(schema["additionalProperties"], json!(false));
    assert_eq!(value(&dispatcher, "turn", json!({"page": 3, "pageSize": null})), json!({"page": 3, "pageSize": null}));
    assert_eq!(value(&dispatcher, "sum", json!({"x": 3})), json!(3));
    assert_eq!(message(&dispatcher, "turn", json!({"page": -1})), "invalid arguments: page: expected 0 or more");
}

#[test]
fn serde_and_schemars_attributes_are_forwarded() {
    fn seven() -> u8 {
        7
    }

    fn doubled<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
        u8::deserialize(deserializer).map(|number| number.saturating_mul(2))
    }

    /// Forward.
    #[mcp_tool]
    async fn forward(
        #[serde(rename = "camelCase")] snake_case: u8,
        #[serde(default = "seven")] defaulted: u8,
        #[serde(deserialize_with = "doubled")] twice: u8,
        #[schemars(range(min = 2, max = 4), description = "Not the type's.")] ranged: u8,
        #[schemars(length(max = 2))] list: Vec<u8>,
        r#type: u8,
    ) -> Vec<u8> {
        [vec![snake_case, defaulted, twice, ranged, r#type], list].concat()
    }

    let dispatcher = serve(tools![forward]);
    let names: Vec<_> =
        input(&dispatcher, "forward")["properties"].as_object().expect("properties").keys().cloned().collect();
    assert_eq!(names, ["camelCase", "defaulted", "twice", "ranged", "list", "type"]);
    assert_eq!(property(&dispatcher, "forward", "defaulted")["default"], 7);
    assert_eq!(
        property(&dispatcher, "forward", "ranged"),
        json!({"description": "Not the type's.", "type": "integer", "minimum": 2, "maximum": 4})
    );
    assert_eq!(property(&dispatcher, "forward", "list")["maxItems"], 2);
    let arguments = json!({"camelCase": 1, "twice": 4, "ranged": 2, "list": [9], "type": 5});
    assert_eq!(value(&dispatcher, "forward", arguments), json!([1, 7, 8, 2, 5, 9]));
    assert_eq!(
        lines(&dispatcher, "forward", json!({"camelCase": 1, "twice": 4, "ranged": 5, "list": [1, 2, 3], "type": 0})),
        ["- list: expected at most 2 elements", "- ranged: expected 4 or less"]
    );
}

#[test]
fn the_fields_of_a_flattened_struct_are_arguments() {
    /// List.
    #[mcp_tool]
    async fn list(query: String, #[serde(flatten)] page: Page) -> Value {
        json!([query, page])
    }

    let dispatcher = serve(tools![list]);
    let schema = input(&dispatcher, "list");
    assert_eq!(schema["required"], json!(["query", "page"]));
    assert!(schema.get("description").is_none(), "{schema}");
    assert_eq!(schema["additionalProperties"], json!(false), "{schema}");
    assert_eq!(
        value(&dispatcher, "list", json!({"query": "q", "page": 1, "pageSize": 10.0})),
        json!(["q", {"page": 1, "pageSize": 10}])
    );
    assert_eq!(
        lines(&dispatcher, "list", json!({"query": "q", "page": "1", "pagesize": 1})),
        ["- page: expected an integer, got a string", "- pagesize: not known; did you mean `pageSize`?"]
    );
}

#[test]
fn a_flattened_map_takes_every_other_argument() {
    /// Take the rest.
    #[mcp_tool]
    async fn rest(first: u8, #[serde(flatten)] rest: BTreeMap<String, u8>) -> Value {
        json!([first, rest])
    }

    let dispatcher = serve(tools![rest]);
    assert_eq!(value(&dispatcher, "rest", json!({"first": 1, "a": 2, "b": 3})), json!([1, {"a": 2, "b": 3}]));
    assert_eq!(
        message(&dispatcher, "rest", json!({"first": 1, "a": 256})),
        "invalid arguments: a: expected 255 or less"
    );
}

#[test]
fn a_flattened_enum_adds_to_the_other_arguments() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "by", rename_all = "snake_case")]
    enum Order {
        Name { reverse: bool },
        Date,
    }

    /// Sort.
    #[mcp_tool(root_union)]
    async fn sort(list: Vec<u8>, #[serde(flatten)] order: Order) -> Value {
        json!([list, order])
    }

    let dispatcher = serve(tools![sort]);
    let schema = input(&dispatcher, "sort");
    assert_eq!((&schema["type"], &schema["unevaluatedProperties"]), (&json!("object"), &json!(false)));
    assert!(schema["properties"]["list"].is_object() && schema["oneOf"].is_array(), "{schema}");
    let by_name = json!({"list": [1], "by": "name", "reverse": true});
    assert_eq!(value(&dispatcher, "sort", by_name), json!([[1], {"by": "name", "reverse": true}]));
    assert_eq!(value(&dispatcher, "sort", json!({"list": [], "by": "date"})), json!([[], {"by": "date"}]));
    let text = message(&dispatcher, "sort", json!({"list": [], "by": "size"}));
    assert!(text.starts_with("invalid arguments"), "{text}");
    let text = message(&dispatcher, "sort", json!({"list": [], "by": "date", "nothing": 1}));
    assert!(text.contains("nothing: not known"), "{text}");
}

#[test]
fn an_alias_does_not_change_a_schema() {
    type Maybe<T> = Option<T>;
    type Words = Vec<String>;

    /// Aliased.
    #[mcp_tool]
    async fn aliased(maybe: Maybe<u8>, words: Words) -> Maybe<usize> {
        maybe.map(|count| words.len() + usize::from(count))
    }

    let dispatcher = serve(tools![aliased]);
    let schema = input(&dispatcher, "aliased");
    assert_eq!(schema["required"], json!(["words"]));
    assert_eq!(schema["properties"]["maybe"], json!({"type": "integer", "minimum": 0, "maximum": 255}));
    assert_eq!(value(&dispatcher, "aliased", json!({"words": []})), json!(null));
}
