//! Integers that are spelled as `3.0`, in values that serde buffers before it knows their type (rule I3).
//!
//! serde reads a flattened `Option` as `None` if it cannot read the struct, so a number that it refuses is lost without an error.

use std::collections::BTreeMap;

use mcp_tool_runtime::{Dispatcher, mcp_tool, serde_json::Value, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::run::{serve, value};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Page {
    limit: u32,
    #[serde(default)]
    offsets: Vec<i64>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Range {
    low: i8,
    inner: Option<Inner>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Inner {
    depth: u64,
    ratio: f64,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    Sized { size: u8 },
    Empty,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Count { count: u16 },
    Share { share: f64 },
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Query {
    #[serde(flatten)]
    page: Option<Page>,
    #[serde(flatten)]
    range: Option<Range>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct WithTagged {
    #[serde(flatten)]
    tagged: Option<Tagged>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct WithUntagged {
    #[serde(flatten)]
    untagged: Option<Untagged>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct WithMap {
    #[serde(flatten)]
    counts: Option<BTreeMap<String, i32>>,
}

/// Either an integer or a number with a fraction.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    Integer(i64),
    Number(f64),
}

/// Returns what was read.
#[mcp_tool]
async fn nested(
    query: Option<Query>,
    tagged: Option<WithTagged>,
    untagged: Option<WithUntagged>,
    map: Option<WithMap>,
    either: Option<Either>,
    any: Option<Value>,
) -> Value {
    json!({"query": query, "tagged": tagged, "untagged": untagged, "map": map, "either": either, "any": any})
}

/// Returns what was read.
#[mcp_tool]
async fn arguments(#[mcp_tool(arguments)] query: Query) -> Value {
    json!(query)
}

/// Returns what was read.
#[mcp_tool]
async fn parameter(#[serde(flatten)] page: Option<Page>, #[serde(flatten)] range: Option<Range>) -> Value {
    json!({"page": page, "range": range})
}

fn dispatcher() -> Dispatcher {
    serve(tools![nested, arguments, parameter])
}

#[test]
fn i3_an_integer_with_a_point_is_not_lost_in_a_flattened_option() {
    let dispatcher = dispatcher();
    let query = json!({"limit": 3.0, "offsets": [0.0, -1.0], "low": -5.0, "inner": {"depth": 4.0, "ratio": 2.0}});
    let read = json!({"limit": 3, "offsets": [0, -1], "low": -5, "inner": {"depth": 4, "ratio": 2.0}});
    assert_eq!(value(&dispatcher, "nested", json!({"query": query}))["query"], read);
    assert_eq!(value(&dispatcher, "arguments", query.clone()), read);
    let parameters = value(&dispatcher, "parameter", query);
    assert_eq!(parameters["page"], json!({"limit": 3, "offsets": [0, -1]}));
    assert_eq!(parameters["range"]["low"], json!(-5));
    for (argument, sent, read) in [
        ("query", json!({"limit": 0.0, "offsets": []}), json!({"limit": 0, "offsets": []})),
        ("query", json!({"limit": -0.0, "offsets": []}), json!({"limit": 0, "offsets": []})),
        ("query", json!({"limit": 3e2, "offsets": []}), json!({"limit": 300, "offsets": []})),
        ("tagged", json!({"kind": "Sized", "size": 8.0}), json!({"kind": "Sized", "size": 8})),
        ("untagged", json!({"count": 8.0}), json!({"count": 8})),
        ("untagged", json!({"share": 8.0}), json!({"share": 8.0})),
        ("map", json!({"a": 8.0, "b": 1}), json!({"a": 8, "b": 1})),
    ] {
        assert_eq!(value(&dispatcher, "nested", json!({ argument: sent }))[argument], read, "{argument}: {sent}");
    }
}

#[test]
fn i3_a_number_stays_as_it_was_sent_where_the_schema_accepts_fractions() {
    let dispatcher = dispatcher();
    for (argument, sent) in [("either", json!(3.0)), ("any", json!(3.0)), ("any", json!([{"a": 3.0}]))] {
        let mut arguments = json!({ argument: sent });
        arguments["query"] = json!({"limit": 1.0});
        assert_eq!(value(&dispatcher, "nested", arguments)[argument], sent, "{argument}");
    }
}
