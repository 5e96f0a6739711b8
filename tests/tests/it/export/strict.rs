//! Which tools are strict, and their schemas.

use std::collections::BTreeMap;

use mcp_tool_runtime::lint::Severity;
use mcp_tool_runtime::{
    export::{Strict, Vendor},
    mcp_tool, tools,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{echoing, now, parts, serve};

#[derive(Deserialize, Serialize, JsonSchema)]
struct Filter {
    /// Any of these.
    tags: Vec<String>,
    before: Option<String>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

/// Search.
#[mcp_tool]
async fn search(
    /// What to look for.
    query: String,
    filter: Option<Filter>,
    #[mcp_tool(default = 10)] limit: u32,
    shape: Shape,
    size: Option<[f64; 2]>,
) -> String {
    drop((filter, limit, shape, size));
    query
}

fn schema_of(dispatcher: &mcp_tool_runtime::Dispatcher, vendor: Vendor) -> (Value, bool) {
    let export = dispatcher.export(vendor).strict(Strict::WhereLossless);
    let (_, schema, strict) = parts(&export.tools()[0], vendor);
    (schema, strict)
}

/// Returns the findings about `strict`: the rule and the place.
fn reasons(dispatcher: &mcp_tool_runtime::Dispatcher, vendor: Vendor) -> Vec<(&'static str, String)> {
    let export = dispatcher.export(vendor).strict(Strict::WhereLossless);
    let findings = export.findings().iter();
    findings.map(|finding| (finding.rule, finding.place.clone())).collect()
}

#[test]
fn open_ai_gets_closed_objects_with_nullable_properties() {
    let (schema, strict) = schema_of(&serve(tools![search]), Vendor::OpenAiChat);
    assert!(strict);
    let branch = |tag: &str, field: &str| {
        json!({
            "type": "object",
            "properties": { "kind": { "type": "string", "const": tag }, field: { "type": "number" } },
            "required": ["kind", field],
            "additionalProperties": false
        })
    };
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {
                "query": { "description": "What to look for.", "type": "string" },
                "filter": {
                    "description": "(`null`: not set)",
                    "type": ["object", "null"],
                    "properties": {
                        "tags": { "description": "Any of these.", "type": "array", "items": { "type": "string" } },
                        "before": { "type": ["string", "null"] }
                    },
                    "required": ["tags", "before"],
                    "additionalProperties": false
                },
                "limit": {
                    "type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX, "description": "(default: 10)"
                },
                "shape": { "anyOf": [branch("circle", "radius"), branch("square", "side")] },
                "size": {
                    "type": ["array", "null"], "items": { "type": "number" }, "minItems": 2, "maxItems": 2
                }
            },
            "required": ["query", "filter", "limit", "shape", "size"],
            "additionalProperties": false
        })
    );
}

#[test]
fn a_null_that_open_ai_asks_for_means_absent() {
    let export = serve(tools![search]).export(Vendor::OpenAiResponses);
    let arguments = json!({
        "query": "tea", "filter": { "tags": [], "before": null }, "limit": null, "shape": { "kind": "circle", "radius": 1 },
        "size": null
    });
    let output =
        json!([{ "type": "function_call", "call_id": "1", "name": "search", "arguments": arguments.to_string() }]);
    let results = now(export.answer(&output)).expect("a message");
    assert_eq!(results, [json!({ "type": "function_call_output", "call_id": "1", "output": "tea" })]);
}

/// Map.
#[mcp_tool]
async fn map(labels: BTreeMap<String, String>) {
    drop(labels);
}

/// Anything.
#[mcp_tool]
async fn anything(value: Value) {
    drop(value);
}

/// A set.
#[mcp_tool]
async fn set(names: std::collections::BTreeSet<String>) {
    drop(names);
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Comment {
    text: String,
    answers: Vec<Comment>,
}

/// A tree.
#[mcp_tool]
async fn tree(comment: Comment) {
    drop(comment);
}

/// A place.
#[mcp_tool]
async fn locate(place: (f64, f64)) {
    let _ = place;
}

/// A small number.
#[mcp_tool]
async fn small(number: u8) {
    let _ = number;
}

#[test]
fn a_tool_that_strict_cannot_say_is_sent_without_it_and_reported() {
    let place = |property: &str| format!("/inputSchema/properties/{property}");
    let open_ai = Vendor::OpenAiResponses;
    assert_eq!(reasons(&serve(tools![map]), open_ai), [("strict-closed", place("labels"))]);
    assert_eq!(reasons(&serve(tools![anything]), open_ai), [("strict-untyped", place("value"))]);
    assert_eq!(reasons(&serve(tools![set]), open_ai), [("strict-keyword", place("names"))]);
    assert_eq!(reasons(&serve(tools![locate]), open_ai), [("strict-keyword", place("place"))]);
    assert_eq!(reasons(&serve(tools![tree]), open_ai), []);
    assert_eq!(reasons(&serve(tools![small]), open_ai), []);
    for vendor in [Vendor::Anthropic, Vendor::Bedrock] {
        assert_eq!(reasons(&serve(tools![map]), vendor), [("strict-closed", place("labels"))]);
        assert_eq!(reasons(&serve(tools![tree]), vendor), [("strict-recursion", "/inputSchema".to_owned())]);
        assert_eq!(reasons(&serve(tools![small]), vendor), [("strict-keyword", place("number"))]);
    }
    let dispatcher = serve(tools![map]);
    assert!(!schema_of(&dispatcher, open_ai).1);
    let mut published = dispatcher.list()[0].input_schema.clone();
    published["properties"]["labels"]["properties"] = json!({});
    assert_eq!(schema_of(&dispatcher, open_ai).0, published);
    let export = dispatcher.export(open_ai);
    assert_eq!(export.findings()[0].severity, Severity::Lost);
    assert_eq!(export.strict(Strict::Off).findings(), []);
}

#[test]
fn strict_is_the_default_for_open_ai_alone() {
    let dispatcher = echoing("plain", json!({ "type": "object", "properties": {}, "additionalProperties": false }));
    for vendor in Vendor::ALL {
        let export = dispatcher.export(*vendor);
        let is_open_ai = matches!(vendor, Vendor::OpenAiResponses | Vendor::OpenAiChat);
        let [definition] = super::definitions(export.tools(), *vendor).try_into().expect("one tool");
        assert_eq!(parts(&definition, *vendor).2, is_open_ai, "{vendor}");
        assert_eq!(export.findings(), []);
    }
}

#[test]
fn branches_that_can_overlap_are_not_strict() {
    let overlapping = json!({
        "type": "object",
        "properties": { "value": { "oneOf": [{ "type": "string" }, { "type": "string", "format": "date" }] } },
        "required": ["value"],
        "additionalProperties": false
    });
    let dispatcher = echoing("either", overlapping);
    for vendor in [Vendor::OpenAiChat, Vendor::Anthropic] {
        assert_eq!(
            reasons(&dispatcher, vendor),
            [("strict-keyword", "/inputSchema/properties/value".to_owned())],
            "{vendor}"
        );
    }
}

#[test]
fn an_argument_that_must_be_sent_is_not_said_to_be_left_out() {
    /// List numbers.
    #[mcp_tool]
    async fn numbers(
        /// Leave it out for all. Leave it out with care.
        most: Option<u32>,
    ) -> mcp_tool_runtime::Paged<u32> {
        mcp_tool_runtime::Paged::new(0..most.unwrap_or(9))
    }

    let dispatcher = serve(tools![numbers]);
    let published = dispatcher.list()[0].input_schema.clone();
    let text =
        |schema: &Value, name: &str| schema["properties"][name]["description"].as_str().expect("a text").to_owned();
    assert!(text(&published, "cursor").contains("Leave it out for the first page"));
    let (schema, strict) = schema_of(&dispatcher, Vendor::OpenAiChat);
    assert!(strict && schema["required"] == json!(["most", "cursor"]), "{schema}");
    assert!(text(&schema, "cursor").contains("unchanged. Write `null` for the first page, and repeat"), "{schema}");
    assert_eq!(text(&schema, "most"), "Write `null` for all. Write `null` with care.");
    // Anthropic has optional properties.
    let (schema, _) = schema_of(&dispatcher, Vendor::Anthropic);
    assert_eq!(text(&schema, "cursor"), text(&published, "cursor"));
}
