//! Published schemas say what the dispatcher and serde accept: unit variants, dates and closed objects (rules T4, T5, T17).

use chrono::{DateTime, NaiveDate, Utc};
use mcp_tool_runtime::{mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::run::{message, output, property, serve, value};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
#[expect(dead_code, reason = "only their debug output is looked at")]
enum Beside {
    Flag(bool),
    Point { x: i32 },
    Nothing,
}

/// Takes one.
#[mcp_tool]
async fn beside(value: Beside) -> String {
    format!("{value:?}")
}

#[test]
fn t17_a_unit_variant_stands_alone_or_with_null() {
    let dispatcher = serve(tools![beside]);
    assert_eq!(value(&dispatcher, "beside", json!({"value": {"t": "Nothing"}})), "Nothing");
    assert_eq!(value(&dispatcher, "beside", json!({"value": {"t": "Nothing", "c": null}})), "Nothing");
    let refused = message(&dispatcher, "beside", json!({"value": {"t": "Nothing", "c": true}}));
    assert_eq!(refused, "invalid arguments: value.c: expected null, got a boolean");
    assert_eq!(value(&dispatcher, "beside", json!({"value": {"t": "Flag", "c": true}})), "Flag(true)");
    assert_eq!(value(&dispatcher, "beside", json!({"value": {"t": "Point", "c": {"x": 1}}})), "Point { x: 1 }");
}

#[derive(Serialize, JsonSchema)]
struct Times {
    day: NaiveDate,
    at: DateTime<Utc>,
}

/// Returns a day of this year.
#[mcp_tool]
async fn times(year: i32) -> Times {
    let day = NaiveDate::from_ymd_opt(year, 1, 2).expect("a day");
    Times { day, at: day.and_hms_opt(3, 4, 5).expect("a time").and_utc() }
}

#[test]
fn t5_dates_are_published_as_formats_in_results() {
    let dispatcher = serve(tools![times]);
    let schema = output(&dispatcher, "times");
    for (name, format) in [("day", "date"), ("at", "date-time")] {
        assert_eq!(schema["properties"][name], json!({"type": "string", "format": format}));
    }
    let text = value(&dispatcher, "times", json!({"year": 2024})).to_string();
    assert!(text.contains("2024-01-02"), "{text}");
    for year in [-1, 12_345] {
        let text = message(&dispatcher, "times", json!({"year": year}));
        assert!(text.contains("day") && text.contains("date"), "{text}");
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Closed {
    #[serde(default)]
    inner: Vec<Closed>,
}

/// Takes a closed object.
#[mcp_tool]
async fn closed(value: Closed) -> usize {
    value.inner.len()
}

#[test]
fn t4_a_closed_object_is_closed_by_false_at_every_depth() {
    let dispatcher = serve(tools![closed]);
    let text =
        property(&dispatcher, "closed", "value").to_string() + &crate::run::input(&dispatcher, "closed").to_string();
    assert!(text.contains(r#""additionalProperties":false"#) && !text.contains(r#""not""#), "{text}");
    let text = message(&dispatcher, "closed", json!({"value": {"inner": [{"other": 1}]}}));
    assert!(text.contains("other"), "{text}");
}
