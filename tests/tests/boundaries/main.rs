//! Values just inside and just outside of one keyword, format or type. Most of these tests were written because mutation testing
//! changed one comparison and no other test failed.

#[path = "../it/run.rs"]
#[allow(dead_code, reason = "written for another binary, which uses all of it")]
mod run;

mod call_ids;
mod coercions;
mod contexts;
mod contracts;
mod dialects;
mod formats;
mod messages;
mod progress;
mod questions;
mod responses;
mod results;
mod sdk;
mod stdio;
mod types;
mod values;

use mcp_tool_runtime::Dispatcher;
use serde_json::{Value, json};

/// Returns a dispatcher with one tool `t`, whose argument `v` has this schema.
fn taking(schema: &Value) -> Dispatcher {
    run::serve(vec![Box::new(run::taking("t", json!({ "type": "object", "properties": { "v": schema } })))])
}

/// Returns a dispatcher with one tool `t`, whose input schema is written in an older dialect. Its argument `v` has the given schema,
/// and `root` has the other keywords of the input schema, such as `definitions`.
fn taking_in(dialect: &str, schema: &Value, root: &Value) -> Dispatcher {
    let mut whole = json!({ "$schema": dialect, "type": "object", "properties": { "v": schema } });
    for (key, value) in root.as_object().into_iter().flatten() {
        whole[key] = value.clone();
    }
    run::serve(vec![Box::new(run::taking("t", whole))])
}

fn accepts(dispatcher: &Dispatcher, value: &Value) -> bool {
    run::call(dispatcher, "t", json!({ "v": value })).error().is_none()
}

/// Returns the message for a value that is not accepted.
fn message(schema: &Value, value: &Value) -> String {
    run::message(&taking(schema), "t", json!({ "v": value }))
}
