//! What the debug output of calls shows, and calls of one dispatcher by a tool of another one.

use std::sync::Arc;

use mcp_tool_runtime::{CallContext, CallToolRequest, Dispatcher, mcp_tool, tools};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::run;

/// Show the context of the call.
#[mcp_tool]
async fn show(#[mcp_tool(context)] cx: &CallContext) -> String {
    format!("{cx:?}")
}

/// Show the context of a call of `show`.
#[mcp_tool]
async fn relay(#[mcp_tool(context)] cx: &CallContext) -> Value {
    let response = cx.call("show", json!({})).await.expect("a response");
    response.deserialize().expect("a text")
}

#[test]
fn the_debug_output_of_a_context_names_its_parts_and_hides_values() {
    let dispatcher = run::built(run::exact().tools(tools![show, relay]).max_concurrency(1));
    let mut request = CallToolRequest::new("show", json!({}));
    request.extensions.insert("a secret".to_owned());
    request.meta = json!({ "password": "a secret" }).as_object().cloned();
    let response = run::send(&dispatcher, request);
    let text = response.deserialize::<String>().expect("a text");
    for part in [
        "CallId(\"call-1\")",
        "Extensions { .. }",
        "ToolShared {",
        "Settings {",
        "CallState {",
        "is_cancelled: false",
        "meta: Some(Meta",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("a secret"), "{text}");
    let nested = run::value(&dispatcher, "relay", json!({})).to_string();
    assert!(nested.contains("ParentCall {") && nested.contains("depth: 1"), "{nested}");
}

#[test]
fn the_debug_output_of_requests_and_responses_hides_values() {
    let dispatcher = run::serve(tools![show]);
    let mut request = CallToolRequest::new("show", json!({ "password": "secret" }));
    request.meta = json!({ "key": "secret" }).as_object().cloned();
    let text = format!("{request:?}");
    assert!(text.contains("name: \"show\"") && text.contains("extensions: ") && !text.contains("secret"), "{text}");
    let text = format!("{:?}", run::send(&dispatcher, CallToolRequest::new("show", json!({}))));
    assert!(text.contains("call-1") && text.contains("duration: 5ms") && text.contains("is_success: true"), "{text}");
    assert!(!text.contains("ToolShared"), "{text}");
}

#[test]
fn a_request_of_open_tool_calling_without_its_tool_says_which_field_is_missing() {
    for request in [json!({ "input": {} }), json!({ "context": {} }), json!({ "trace_id": "t" })] {
        let error = serde_json::from_value::<CallToolRequest>(request.clone()).expect_err("no tool").to_string();
        assert_eq!(error, "missing field `tool_id`", "{request}");
    }
    let error = serde_json::from_value::<CallToolRequest>(json!({ "arguments": {} })).expect_err("no tool");
    assert_eq!(error.to_string(), "missing field `name`");
}

/// Wait until the test says so.
#[mcp_tool]
async fn wait(#[mcp_tool(state)] gate: &Arc<Notify>) {
    gate.notified().await;
}

/// Call the other dispatcher by hand.
#[mcp_tool]
async fn call_other(#[mcp_tool(state)] other: &Dispatcher) -> bool {
    other.call(CallToolRequest::new("wait", json!({}))).await.is_ok_and(|response| response.is_success())
}

#[tokio::test]
async fn a_call_of_another_dispatcher_waits_for_a_permit_of_that_one() {
    let gate = Arc::new(Notify::new());
    let other = Dispatcher::builder().tools(tools![wait]).state(Arc::clone(&gate)).max_concurrency(1);
    let other = other.build().expect("a tool");
    let dispatcher = Dispatcher::builder().tools(tools![call_other]).state(other.clone()).max_concurrency(1);
    let dispatcher = dispatcher.build().expect("a tool");
    let running = other.call(CallToolRequest::new("wait", json!({})));
    let calling = dispatcher.call(CallToolRequest::new("call_other", json!({})));
    let open = async {
        tokio::task::yield_now().await;
        gate.notify_one();
        tokio::task::yield_now().await;
        gate.notify_one();
    };
    let (first, second, ()) = tokio::join!(running, calling, open);
    assert!(first.expect("a response").is_success());
    assert!(second.expect("a response").deserialize::<bool>().expect("whether the other call succeeded"));
}
