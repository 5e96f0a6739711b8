//! Arguments as a tuple and as a derived struct: the attribute chooses by the parameters, and nobody can tell them apart.

use mcp_tool_runtime::{CallToolRequest, Dispatcher, mcp_tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::{input, now, serve};

/// A place.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Point {
    x: i64,
    y: Option<i64>,
}

#[derive(Default, Deserialize, JsonSchema)]
struct Unwritten {
    a: u8,
}

fn any_object() -> Value {
    json!({"type": "object"})
}

/// Makes a function and a tool of it. An alias is only for the derives, so the tool that has one is a struct.
macro_rules! both {
    ($($name:ident [$($keys:tt)*] [$($alias:tt)*])+) => {$(
        /// Look.
        #[mcp_tool($($keys)*)]
        #[allow(clippy::too_many_arguments, reason = "as many as a tuple has")]
        async fn $name(
            /// What to look for.
            ///
            /// In two paragraphs.
            text: String,
            /// # Most
            /// How many at most.
            limit: Option<u32>,
            /// Around here.
            $($alias)* near: Point,
            r#type: Option<Point>,
            #[serde(default)] exact: bool,
            #[mcp_tool(default = 7)] _depth: i32,
            #[serde(rename = "camelCase", default)] renamed: Option<Vec<f64>>,
            #[serde(default)] unwritten: Unwritten,
        ) -> Value {
            json!([text, limit, near, r#type, exact, _depth, renamed, unwritten.a])
        }
    )+};
}

both! {
    as_tuple [] []
    as_struct [] [#[serde(alias = "close")]]
    tuple_unchecked [input_schema = any_object] []
    struct_unchecked [input_schema = any_object] [#[serde(alias = "close")]]
}

fn served() -> Dispatcher {
    serve(tools![as_tuple, as_struct, tuple_unchecked, struct_unchecked])
}

#[test]
fn a_tuple_and_a_struct_have_the_same_schema() {
    let dispatcher = served();
    let schema = input(&dispatcher, "as_tuple");
    assert_eq!(schema.to_string(), input(&dispatcher, "as_struct").to_string());
    assert_eq!(schema["required"], json!(["text", "near"]));
    assert_eq!(schema["properties"]["limit"]["title"], "Most");
    assert_eq!(schema["properties"]["text"]["description"], "What to look for.\n\nIn two paragraphs.");
    assert_eq!(schema["properties"]["exact"]["default"], false);
    assert_eq!(schema["properties"]["depth"]["default"], 7);
}

/// Returns calls with one change each: a missing argument, a wrong or unusual value, another order.
fn calls() -> Vec<Value> {
    let full = json!({
        "text": "a", "limit": 3, "near": {"x": 1, "y": 2}, "type": {"x": 1}, "exact": true, "depth": 2,
        "camelCase": [1, 2.5], "unwritten": {"a": 1}
    });
    let properties = full.as_object().expect("an object");
    let mut calls = vec![full.clone(), json!({}), json!({"near": {"x": 1}, "text": "a"})];
    let reversed: serde_json::Map<_, _> = properties.clone().into_iter().rev().collect();
    calls.push(reversed.into());
    for name in properties.keys() {
        let mut without = properties.clone();
        without.shift_remove(name);
        calls.push(without.into());
        let values =
            [json!(null), json!(3.0), json!(-1), json!("3"), json!([]), json!({}), json!({"x": "1"}), json!(true)];
        for value in values {
            let mut changed = properties.clone();
            changed[name] = value;
            calls.push(changed.into());
        }
    }
    let mut unknown = properties.clone();
    unknown.insert("limits".to_owned(), json!(1));
    calls.push(unknown.into());
    calls
}

#[test]
fn a_tuple_and_a_struct_accept_and_refuse_the_same_arguments() {
    let dispatcher = served();
    let answer = |tool: &str, arguments: &Value| {
        let response = now(dispatcher.call(CallToolRequest::new(tool, arguments.clone()))).expect("a response");
        let response = response.to_mcp(crate::run::LATEST);
        serde_json::to_value(response).expect("JSON").to_string().replace(tool, "tool")
    };
    let mut accepted = 0;
    for arguments in calls() {
        for [tuple, structure] in [["as_tuple", "as_struct"], ["tuple_unchecked", "struct_unchecked"]] {
            let answer_of_tuple = answer(tuple, &arguments);
            assert_eq!(answer_of_tuple, answer(structure, &arguments), "{arguments}");
            accepted += usize::from(answer_of_tuple.contains("\"structuredContent\""));
        }
    }
    assert!(accepted > 20, "{accepted}");
}
