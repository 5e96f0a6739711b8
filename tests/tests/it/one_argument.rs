//! No tests: a dispatcher with one tool whose argument has the schema that a test is about.

use mcp_tool_runtime::Dispatcher;
use serde_json::{Value, json};

use crate::run;

/// Returns a dispatcher with one tool `t`, whose argument `v` has this schema.
pub(crate) fn taking(schema: &Value) -> Dispatcher {
    run::serve(vec![Box::new(run::taking("t", json!({ "type": "object", "properties": { "v": schema } })))])
}

/// Returns a dispatcher with one tool `t`, whose input schema is written in an older dialect. Its argument `v` has the given schema,
/// and `root` has the other keywords of the input schema, such as `definitions`.
pub(crate) fn taking_in(dialect: &str, schema: &Value, root: &Value) -> Dispatcher {
    let mut whole = json!({ "$schema": dialect, "type": "object", "properties": { "v": schema } });
    for (key, value) in root.as_object().into_iter().flatten() {
        whole[key] = value.clone();
    }
    run::serve(vec![Box::new(run::taking("t", whole))])
}

pub(crate) fn accepts(dispatcher: &Dispatcher, value: &Value) -> bool {
    run::call(dispatcher, "t", json!({ "v": value })).error().is_none()
}

/// Returns the message for a value that is not accepted.
pub(crate) fn message(schema: &Value, value: &Value) -> String {
    run::message(&taking(schema), "t", json!({ "v": value }))
}
