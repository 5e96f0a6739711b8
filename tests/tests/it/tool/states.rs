//! Parameters that are not arguments: states, extensions and the context.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use mcp_tool_runtime::{CallContext, CallToolRequest, DispatchError, Dispatcher, mcp_tool, tools};
use serde_json::{Value, json};

use crate::run::{self, LATEST, built, exact, faults, input, message, now, send, serve, value};

struct Prices {
    apple: u32,
}

/// Say what apples cost.
#[mcp_tool]
async fn price(count: u32, #[mcp_tool(state)] prices: &Prices) -> u32 {
    count * prices.apple
}

/// Say what an apple costs, if that is known.
#[mcp_tool]
async fn perhaps(#[mcp_tool(state)] prices: Option<&Prices>) -> Option<u32> {
    prices.map(|prices| prices.apple)
}

#[test]
fn a_state_is_borrowed_and_is_not_a_property() {
    let dispatcher = built(exact().tools(tools![price, perhaps]).state(Prices { apple: 30 }).state("another"));
    let names: Vec<_> =
        input(&dispatcher, "price")["properties"].as_object().expect("properties").keys().cloned().collect();
    assert_eq!(names, ["count"]);
    assert_eq!(value(&dispatcher, "price", json!({"count": 2})), json!(60));
    assert_eq!(value(&dispatcher, "perhaps", json!({})), json!(30));
    assert_eq!(
        message(&dispatcher, "price", json!({"count": 2, "prices": {"apple": 0}})),
        "invalid arguments: prices: not known"
    );
}

#[test]
fn a_state_in_an_arc_can_be_borrowed_with_and_without_the_arc() {
    /// Count.
    #[mcp_tool]
    async fn shared(#[mcp_tool(state)] all: &Arc<AtomicU8>, #[mcp_tool(state)] one: &AtomicU8) -> bool {
        one.fetch_add(1, Ordering::SeqCst);
        std::ptr::eq(&raw const **all, one)
    }

    let counter = Arc::new(AtomicU8::new(0));
    let dispatcher = built(exact().tools(tools![shared]).state(Arc::clone(&counter)));
    assert_eq!(value(&dispatcher, "shared", json!({})), json!(true));
    assert_eq!(counter.load(Ordering::SeqCst), 1);
}

#[test]
fn a_missing_state_is_a_build_error_that_names_the_tool_and_the_type() {
    /// Two of them.
    #[mcp_tool(name = "two-states")]
    async fn two(#[mcp_tool(state)] _a: &Arc<Prices>, #[mcp_tool(state)] _b: &Vec<u8>) {}

    let found = faults(Dispatcher::builder().tools(tools![price, perhaps, two]));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("tool `price`: no state of type `") && found[0].contains("::Prices`"), "{found:?}");
    assert!(found[1].starts_with("tool `two-states`: ") && found[1].contains("Arc<"), "{found:?}");
    assert!(found[2].contains("Vec<u8>"), "{found:?}");
    assert!(found.iter().all(|fault| fault.contains("add `.state(…)` to the builder")), "{found:?}");
    let found = faults(Dispatcher::builder().tools(tools![price]).state(1_u8).state(String::new()));
    assert!(found[0].ends_with("to the builder; registered are `alloc::string::String`, `u8`"), "{found:?}");
    // A value that was registered without an `Arc` cannot be borrowed as an `Arc`.
    let found = faults(Dispatcher::builder().tools(tools![two]).state(Prices { apple: 1 }).state(Vec::<u8>::new()));
    assert!(matches!(found.as_slice(), [only] if only.contains("Arc<")), "{found:?}");
}

#[test]
fn an_optional_state_may_be_missing() {
    let dispatcher = serve(tools![perhaps]);
    assert_eq!(value(&dispatcher, "perhaps", json!({})), Value::Null);
}

#[test]
fn two_states_of_one_type_are_a_build_error() {
    let found = faults(Dispatcher::builder().state(1_u8).state(2_u16).state(3_u8));
    assert_eq!(found, ["two states have the type `u8`"]);
    let shared = Dispatcher::builder().state(Arc::new(1_u8)).state(Arc::new(2_u8));
    assert_eq!(faults(shared), ["two states have the type `alloc::sync::Arc<u8>`"]);
}

struct User(&'static str);

/// Greet the user.
#[mcp_tool]
async fn greet(times: u8, #[mcp_tool(extension)] user: &User) -> String {
    user.0.repeat(times.into())
}

/// Name the user, if there is one.
#[mcp_tool]
async fn who(#[mcp_tool(extension)] user: Option<&User>) -> Option<String> {
    user.map(|user| user.0.to_owned())
}

#[test]
fn an_extension_is_borrowed_and_is_not_a_property() {
    let dispatcher = serve(tools![greet, who]);
    assert_eq!(input(&dispatcher, "greet")["required"], json!(["times"]));
    assert_eq!(input(&dispatcher, "who")["properties"], json!({}));
    let request = |name: &str, arguments| CallToolRequest::new(name, arguments).with_extension(User("ann"));
    assert_eq!(run::otc(&send(&dispatcher, request("greet", json!({"times": 2}))))["value"], "annann");
    assert_eq!(run::otc(&send(&dispatcher, request("who", json!({}))))["value"], "ann");
    assert_eq!(value(&dispatcher, "who", json!({})), Value::Null);
}

#[test]
fn a_missing_extension_is_a_request_error_before_arguments_are_checked() {
    let dispatcher = serve(tools![greet]);
    for arguments in [json!({"times": 1}), json!({"times": "x"}), json!([]), json!({"nothing": 1})] {
        let error = now(dispatcher.call(CallToolRequest::new("greet", arguments.clone()))).expect_err("no user");
        assert_eq!(error.code(), -32603, "{arguments}");
        assert_eq!(error.to_string(), "the server did not attach what this tool needs");
        let DispatchError::MissingExtension { type_name } = error else { panic!("{error:?}") };
        assert!(type_name.ends_with("::User"), "{type_name}");
    }
    for raw in [r#"{"name": "greet", "arguments": {"times": 1, "times": 1}}"#, r#"{"name": "greet"}"#] {
        let error = now(dispatcher.call_json(raw.as_bytes(), LATEST)).expect_err("no user");
        assert_eq!(error.code(), -32603, "{raw}");
    }
    // An extension belongs to one request only.
    let signed_in = CallToolRequest::new("greet", json!({"times": 1})).with_extension(User("ann"));
    assert!(send(&dispatcher, signed_in).is_success());
    assert!(now(dispatcher.call(CallToolRequest::new("greet", json!({"times": 1})))).is_err());
}

#[test]
fn a_missing_extension_releases_its_permit() {
    let dispatcher = built(exact().tools(tools![greet]).max_concurrency(1));
    for _ in 0..3 {
        assert!(now(dispatcher.call(CallToolRequest::new("greet", json!({})))).is_err());
    }
    let request = CallToolRequest::new("greet", json!({"times": 1})).with_extension(User("ann"));
    assert!(send(&dispatcher, request).is_success());
}

#[test]
fn context_state_and_extensions_can_be_used_together() {
    /// Take everything.
    #[mcp_tool]
    async fn everything(
        #[mcp_tool(extension)] user: &User,
        first: &str,
        #[mcp_tool(context)] cx: &CallContext,
        #[mcp_tool(state)] prices: &Prices,
        second: Option<u8>,
    ) -> Value {
        json!([user.0, first, cx.call_id().as_str(), cx.tool_name(), prices.apple, second])
    }

    let dispatcher = built(exact().tools(tools![everything]).state(Prices { apple: 3 }));
    let names: Vec<_> =
        input(&dispatcher, "everything")["properties"].as_object().expect("properties").keys().cloned().collect();
    assert_eq!(names, ["first", "second"]);
    let request = CallToolRequest::new("everything", json!({"first": "f"})).with_extension(User("ann"));
    assert_eq!(run::otc(&send(&dispatcher, request))["value"], json!(["ann", "f", "call-1", "everything", 3, null]));
}

#[test]
fn a_response_does_not_keep_states_alive() {
    let state = Arc::new(());
    let held = Arc::downgrade(&state);
    let dispatcher = built(exact().state(state).tools(tools![crate::wire::add]));
    let response = now(dispatcher.call(CallToolRequest::new("add", json!({"a": 2, "b": 3})))).expect("a response");
    drop(dispatcher);
    assert!(held.upgrade().is_none());
    assert!(response.is_success());
}
