//! Deserializing a request in the form of either protocol.

use mcp_tool_runtime::{CallToolRequest, Extensions, Output, otc};
use serde_json::{Value, json};

use crate::run::{self, ByHand, LATEST, built, exact, send};

fn read(value: Value) -> CallToolRequest {
    serde_json::from_value(value).expect("a request")
}

#[test]
fn a_request_of_the_model_context_protocol_is_read() {
    let request = read(json!({"name": "add", "arguments": {"a": 1}, "_meta": {"progressToken": 1}, "task": {}}));
    assert_eq!((request.name.as_str(), request.arguments), ("add", Some(json!({"a": 1}))));
    assert_eq!(request.meta.map(Value::Object), Some(json!({"progressToken": 1})));
    assert!(request.call_id.is_none() && request.extensions.get::<otc::Context>().is_none());
    let bare = read(json!({"name": "add@1"}));
    assert_eq!((bare.name.as_str(), bare.arguments, bare.meta), ("add@1", None, None));
}

#[test]
fn a_request_of_open_tool_calling_is_read() {
    for input in ["input", "inputs"] {
        let request = read(json!({"tool_id": "Calculator.Add@1.0.0", "call_id": "c", input: {"a": 1}}));
        assert_eq!(request.name, "Calculator.Add");
        assert_eq!(request.arguments, Some(json!({"a": 1})), "{input}");
        assert_eq!(request.call_id.as_ref().map(mcp_tool_runtime::CallId::as_str), Some("c"));
    }
    for (id, name) in [("Add", "Add"), ("Add@", "Add"), ("a@b@2.0.0", "a@b")] {
        assert_eq!(read(json!({"tool_id": id})).name, name);
    }
}

#[test]
fn an_invalid_call_id_is_ignored() {
    for id in [json!(null), json!(7), json!(""), json!("x".repeat(257)), json!({})] {
        assert!(read(json!({"tool_id": "a", "call_id": id})).call_id.is_none(), "{id}");
    }
}

#[test]
fn a_request_with_no_tool_or_two_tools_is_refused() {
    for value in [
        json!({}),
        json!({"name": 1}),
        json!({"name": "a", "tool_id": "a"}),
        json!({"tool_id": null}),
        json!({"tool_id": "a", "input": {}, "inputs": {}}),
        json!([]),
        json!("a"),
    ] {
        assert!(serde_json::from_value::<CallToolRequest>(value.clone()).is_err(), "{value}");
    }
}

fn with_context() -> CallToolRequest {
    read(json!({
        "tool_id": "who", "trace_id": "trace-9",
        "context": {
            "authorization": [{"id": "google", "token": "t0k3n"}],
            "secrets": [{"id": "KEY", "value": "s3cr3t"}],
            "user_id": "ann"
        }
    }))
}

#[test]
fn the_context_is_an_extension_and_its_debug_output_hides_secrets() {
    let request = with_context();
    let context = request.extensions.get::<otc::Context>().expect("a context");
    assert_eq!((context.trace_id(), context.user_id()), (Some("trace-9"), Some("ann")));
    assert_eq!((context.authorization("google"), context.authorization("other")), (Some("t0k3n"), None));
    assert_eq!((context.secret("KEY"), context.secret("google")), (Some("s3cr3t"), None));
    for shown in [format!("{context:?}"), format!("{request:?}"), format!("{:#?}", request.extensions)] {
        assert!(!shown.contains("t0k3n") && !shown.contains("s3cr3t"), "{shown}");
    }
}

#[test]
fn the_context_reaches_the_tool_but_not_the_meta() {
    let who = ByHand::any("who", |cx, _| {
        assert!(cx.meta().is_empty());
        let context = cx.extensions().get::<otc::Context>();
        Output::value(context.and_then(|context| context.user_id()).map(str::to_owned))
    });
    let response = send(&built(exact().tool(who)), with_context());
    assert_eq!(run::otc(&response)["value"], "ann");
    for text in [run::otc(&response).to_string(), run::mcp(&response, LATEST).to_string()] {
        assert!(!text.contains("t0k3n") && !text.contains("s3cr3t") && !text.contains("trace-9"), "{text}");
    }
}

#[test]
fn extensions_hold_one_value_of_each_type() {
    let mut extensions = Extensions::new();
    extensions.insert(1_u8);
    extensions.insert("text");
    extensions.insert(2_u8);
    assert_eq!(
        (extensions.get::<u8>(), extensions.get::<&str>(), extensions.get::<u16>()),
        (Some(&2), Some(&"text"), None)
    );
}
