//! Arguments that deviate from the schema and have only one meaning (rule I3).

#![allow(clippy::too_many_arguments, reason = "a tool as users write it")]

use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{self, built, lines, message, value};

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Metre,
    Foot,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle { radius: f64 },
    Grid { cells: Vec<Vec<u32>>, closed: Option<bool> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Size {
    Named(String),
    Exact(u32),
}

#[derive(Serialize, Deserialize, JsonSchema, Default)]
struct Filter {
    limit: Option<u32>,
    active: Option<bool>,
    tags: Option<Vec<String>>,
    note: Option<String>,
}

/// Give everything back.
#[mcp_tool]
async fn draw(
    count: Option<i64>,
    scale: Option<f64>,
    visible: Option<bool>,
    shape: Option<Shape>,
    size: Option<Size>,
    unit: Option<Unit>,
    filter: Option<Filter>,
    label: Option<String>,
    numbers: Option<std::collections::BTreeMap<String, i8>>,
) -> Value {
    json!({
        "count": count, "scale": scale, "visible": visible, "shape": shape, "size": size, "unit": unit,
        "filter": filter, "label": label, "numbers": numbers,
    })
}

fn served(lax: bool) -> Dispatcher {
    built(run::exact().tools(tools![draw]).lax(lax))
}

/// Returns what the tool received of these arguments, without what is `null`.
fn received(arguments: Value) -> Value {
    let mut value = value(&served(true), "draw", arguments);
    remove_nulls(&mut value);
    value
}

fn remove_nulls(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|_, value| !value.is_null());
            map.values_mut().for_each(remove_nulls);
        }
        Value::Array(list) => list.iter_mut().for_each(remove_nulls),
        _ => {}
    }
}

#[test]
fn i3_lax_reads_booleans_of_json_and_of_python() {
    for (text, flag) in [("true", true), ("True", true), ("false", false), (" False ", false)] {
        assert_eq!(received(json!({"visible": text})), json!({"visible": flag}));
    }
    for text in ["TRUE", "yes", "1", "tru"] {
        let text = message(&served(true), "draw", json!({"visible": text}));
        assert_eq!(text, "invalid arguments: visible: expected a boolean, got a string");
    }
}

#[test]
fn i3_lax_reads_an_empty_text_and_the_word_null_as_absent_for_what_is_no_string() {
    for text in ["", "null", "  "] {
        let arguments = json!({"count": text, "visible": text, "shape": text, "numbers": text, "scale": text,
            "filter": {"limit": text, "tags": text}});
        assert_eq!(received(arguments), json!({"filter": {}}), "{text:?}");
    }
    // A string stays a string.
    let arguments = json!({"label": "", "filter": {"note": "null", "limit": ""}, "size": ""});
    assert_eq!(received(arguments), json!({"label": "", "filter": {"note": "null"}, "size": ""}));
    // An enum is a string, too.
    let text = message(&served(true), "draw", json!({"unit": ""}));
    assert!(text.starts_with("invalid arguments: unit: expected "), "{text}");
    // A value that is required cannot be absent.
    let text = message(&served(true), "draw", json!({"shape": {"kind": "circle", "radius": ""}}));
    assert_eq!(text, "invalid arguments: shape.radius: expected a number, got a string");
}

#[test]
fn i3_lax_reads_json_text_of_arrays_and_objects_at_every_depth() {
    let cells = json!([["1", 2], "[3, \"4\"]"]).to_string();
    let shape = json!({"kind": "grid", "cells": cells, "closed": "True"}).to_string();
    let expected = json!({"kind": "grid", "cells": [[1, 2], [3, 4]], "closed": true});
    assert_eq!(received(json!({"shape": shape})), json!({"shape": expected}));
    assert_eq!(received(json!({"numbers": "{\"a\": \"1\", \"b\": 2.0}"})), json!({"numbers": {"a": 1, "b": 2}}));
    assert_eq!(received(json!({"filter": "{\"limit\": null, \"tags\": \"[]\"}"})), json!({"filter": {"tags": []}}));
}

#[test]
fn i3_lax_reads_arguments_that_are_json_text() {
    let text = json!({"count": "3", "label": "x"}).to_string();
    assert_eq!(received(json!(text)), json!({"count": 3, "label": "x"}));
    let refused = message(&served(false), "draw", json!(text));
    assert_eq!(refused, "invalid arguments: expected an object, got a string");
    let refused = message(&served(true), "draw", json!("[1]"));
    assert_eq!(refused, "invalid arguments: expected an object, got a string");
}

#[test]
fn i3_lax_leaves_a_text_of_another_type_as_it_is() {
    let arguments = json!({"count": "2.5", "numbers": "[1]", "scale": "1e3x", "visible": "0", "filter": "{\"limit\""});
    let expected = [
        "- count: expected an integer, got a string",
        "- filter: expected an object, got a string",
        "- numbers: expected an object, got a string",
        "- scale: expected a number, got a string",
        "- visible: expected a boolean, got a string",
    ];
    assert_eq!(lines(&served(true), "draw", arguments), expected);
}

#[test]
fn i3_lax_never_lists_a_readable_value_beside_a_real_mistake() {
    let arguments = json!({
        "count": "3", "visible": "True", "filter": "{\"limit\": \"5\", \"active\": \"\"}", "scale": "",
        "shape": {"kind": "circle", "radius": "1.5"}, "cuont": 1,
    });
    let text = message(&served(true), "draw", arguments);
    assert_eq!(text, "invalid arguments: cuont: not known; did you mean `count`?");
    let text = message(&served(true), "draw", json!({"count": "3", "numbers": {"a": "1", "b": "300"}}));
    assert_eq!(text, "invalid arguments: numbers.b: expected 127 or less");
}

#[test]
fn i3_lax_names_only_the_argument_that_is_given_twice() {
    /// Count.
    #[mcp_tool]
    async fn count(#[serde(alias = "n")] number: i64, flag: bool) -> i64 {
        number + i64::from(flag)
    }

    let dispatcher = built(run::exact().tools(tools![count]).lax(true));
    let text = message(&dispatcher, "count", json!({"number": "1", "n": 2, "flag": "true"}));
    assert_eq!(text, "invalid arguments: n: the same argument as `number`; give one of them");
    assert_eq!(value(&dispatcher, "count", json!({"n": "2", "flag": "true"})), 3);
}

#[test]
fn i3_lax_reads_any_number_of_places() {
    /// Sum numbers.
    #[mcp_tool]
    async fn sum(numbers: Vec<u64>, #[serde(default)] rows: Vec<Filter>) -> (u64, usize) {
        (numbers.iter().sum(), rows.iter().filter(|row| row.limit == Some(7)).count())
    }

    let dispatcher = built(run::exact().tools(tools![sum]).lax(true));
    let numbers: Vec<_> = (0..50_000).map(|number| number.to_string()).collect();
    let rows = vec![json!({"limit": "7", "active": "", "tags": "null"}); 5_000];
    let returned = value(&dispatcher, "sum", json!({"numbers": numbers, "rows": rows}));
    assert_eq!(returned, json!([(0..50_000_u64).sum::<u64>(), 5_000]));
}

#[test]
fn i3_a_valid_call_means_the_same_with_lax() {
    let arguments = json!({"label": "3", "size": "7", "filter": {"tags": ["true", "null", "[1]"], "note": "{}"}});
    let strict = value(&served(false), "draw", arguments.clone());
    assert_eq!(value(&served(true), "draw", arguments), strict);
    // A string that the schema accepts stays one, also if another value has to be coerced.
    assert_eq!(received(json!({"size": "7", "count": "1"})), json!({"size": "7", "count": 1}));
}

#[test]
fn i3_integral_floats_and_other_coercions_combine() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Either {
        Numbers { numbers: Vec<i64> },
        Pair { first: i64, second: Option<i64> },
    }

    /// Give it back.
    #[mcp_tool]
    async fn either(either: Either, flag: bool) -> Value {
        json!([either, flag])
    }

    let lax = built(run::exact().tools(tools![either]).lax(true));
    let strict = built(run::exact().tools(tools![either]));
    let arguments = json!({"either": {"first": 3.0, "second": null}, "flag": true});
    assert_eq!(value(&strict, "either", arguments), json!([{"first": 3, "second": null}, true]));
    let arguments = json!({"either": "{\"numbers\": [1.0, \"2.0\"]}", "flag": "True"});
    assert_eq!(value(&lax, "either", arguments), json!([{"numbers": [1, 2]}, true]));
}

#[test]
fn i3_null_for_an_optional_property_beside_a_map_is_absent() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Scores {
        Named { ann: u8, bob: Option<u8> },
        All(std::collections::BTreeMap<String, u8>),
    }

    /// Give them back.
    #[mcp_tool]
    async fn scores(scores: Scores) -> Value {
        json!(scores)
    }

    let dispatcher = built(run::exact().tools(tools![scores]));
    assert_eq!(
        value(&dispatcher, "scores", json!({"scores": {"ann": 1, "bob": null}})),
        json!({"ann": 1, "bob": null})
    );
    let text = message(&dispatcher, "scores", json!({"scores": {"cyd": null}}));
    assert!(text.starts_with("invalid arguments: scores"), "{text}");
}

#[test]
fn i3_null_stays_where_the_schema_accepts_it() {
    let schema = json!({"type": "object", "properties": {
        "enum": {"enum": [1, null]}, "const": {"const": null}, "any": {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/n"}]},
        "list": {"type": ["array", "null"]}, "free": {}, "never": {"type": "integer"},
    }, "$defs": {"n": {"type": "null"}}});
    let tool = mcp_tool_runtime::mcp::Tool::new("echo", "Return the arguments.", schema);
    let echo = run::ByHand::new(tool, |_, arguments| mcp_tool_runtime::Output::value(arguments));
    let dispatcher = built(run::exact().tool(echo));
    let nulls = json!({"enum": null, "const": null, "any": null, "list": null, "free": null});
    let mut with_never = nulls.clone();
    with_never["never"] = json!(null);
    assert_eq!(value(&dispatcher, "echo", with_never), nulls);
}
