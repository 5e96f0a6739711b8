//! Builders that are merged into one.

#![allow(clippy::type_complexity, reason = "a table of settings")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_tool_runtime::{
    CallId, CallToolRequest, Dispatcher, DispatcherBuilder, ExactCalls, Extensions, ToolHandler as _, mcp::CacheScope,
    mcp_tool, middleware, tools,
};
use serde_json::json;

use crate::run::{built, call, exact, faults, names, now, value};

/// Add two numbers.
#[mcp_tool(tags("math"))]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Tell the time.
#[mcp_tool]
async fn clock() -> u8 {
    12
}

struct Db(u8);

/// Read the database.
#[mcp_tool]
async fn read(#[mcp_tool(state)] db: &Db) -> u8 {
    db.0
}

fn other() -> DispatcherBuilder {
    Dispatcher::builder().tools(tools![add])
}

#[test]
fn merged_tools_come_after_those_before_and_have_the_prefix() {
    let dispatcher = built(
        exact()
            .tools(tools![clock])
            .merge(other())
            .merge_with_prefix("math_", other())
            .tools(tools![read])
            .state(Db(1)),
    );
    assert_eq!(names(&dispatcher), ["clock", "add", "math_add", "read"]);
    assert_eq!(dispatcher.list()[2].title.as_deref(), Some("Math Add"));
    assert_eq!(value(&dispatcher, "math_add", json!({"a": 1, "b": 2})), 3);
}

#[test]
fn prefixes_of_nested_merges_add_up() {
    let inner = Dispatcher::builder().tool(clock {}.with_name("now"));
    let middle = Dispatcher::builder().merge_with_prefix("b_", inner);
    assert_eq!(names(&built(exact().merge_with_prefix("a_", middle))), ["a_b_now"]);
}

#[test]
fn layers_of_the_merged_builder_keep_to_its_tools() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let layer = |name: &'static str| {
        let log = Arc::clone(&log);
        middleware::from_fn(move |request, cx, next| {
            log.lock().expect("no panic").push(name);
            Box::pin(next.run(request, cx))
        })
    };
    let merged = other().middleware(layer("merged"));
    let dispatcher = built(exact().middleware(layer("outer")).merge(merged).tools(tools![clock]));
    call(&dispatcher, "clock", json!({}));
    assert_eq!(std::mem::take(&mut *log.lock().expect("no panic")), ["outer"]);
    call(&dispatcher, "add", json!({"a": 1, "b": 2}));
    assert_eq!(*log.lock().expect("no panic"), ["outer", "merged"]);
}

#[test]
fn rules_of_the_merged_builder_keep_to_its_tools() {
    let merged = other().visible(|tool, _| tool.name() == "nothing");
    let dispatcher = built(exact().tools(tools![clock]).merge(merged));
    let seen = dispatcher.seen_by(&Extensions::new());
    assert_eq!(seen.list().iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["clock"]);
    let public = exact().merge(other().visible(|_, _| true)).list_scope(CacheScope::Public);
    assert_eq!(faults(public).len(), 1, "a rule of a merged builder makes lists private too");
}

#[test]
fn rules_of_the_builder_hold_for_merged_tools() {
    let dispatcher =
        built(exact().merge_with_prefix("m_", other()).tools(tools![clock]).visible(|tool, _| tool.name() != "m_add"));
    let seen = dispatcher.seen_by(&Extensions::new());
    assert_eq!(seen.list().iter().map(|tool| tool.name.as_str()).collect::<Vec<_>>(), ["clock"]);
}

/// A builder whose rule hides the tool that it names.
fn without(name: &'static str) -> DispatcherBuilder {
    Dispatcher::builder().tools(tools![add, clock]).visible(move |tool, _| tool.name() != name)
}

fn seen(dispatcher: &Dispatcher) -> Vec<String> {
    dispatcher.seen_by(&Extensions::new()).list().iter().map(|tool| tool.name.clone()).collect()
}

#[test]
fn rules_of_the_merged_builder_see_the_names_without_the_prefix() {
    let alone = built(exact().merge(without("add")));
    assert_eq!(seen(&alone), ["clock"]);
    let prefixed = built(exact().merge_with_prefix("db_", without("add")).merge(without("clock")));
    assert_eq!(seen(&prefixed), ["db_clock", "add"]);
    // A hidden tool is not callable either, and is answered like one that does not exist.
    let call = |name: &str| now(prefixed.call(CallToolRequest::new(name, json!({"a": 1, "b": 2}))));
    assert_eq!(call("db_add").expect_err("it is hidden").to_string(), "unknown tool `db_add`");
    assert!(call("add").is_ok() && call("db_clock").is_ok());
}

#[test]
fn each_rule_sees_the_name_of_the_builder_that_it_was_added_to() {
    let log: Arc<Mutex<Vec<(&str, String)>>> = Arc::default();
    let rule = |builder: DispatcherBuilder, of: &'static str| {
        let log = Arc::clone(&log);
        builder.visible(move |tool, _| {
            log.lock().expect("no panic").push((of, tool.name().to_owned()));
            true
        })
    };
    let inner = rule(Dispatcher::builder().tool(clock {}.with_name("now")).tools(tools![add]), "inner");
    let middle = rule(Dispatcher::builder().merge_with_prefix("_", inner), "middle");
    let dispatcher = built(rule(exact().merge_with_prefix("a.", middle), "outer"));
    let names =
        |name: &str| [("outer", format!("a._{name}")), ("middle", format!("_{name}")), ("inner", name.to_owned())];
    assert_eq!(seen(&dispatcher), ["a._now", "a._add"]);
    let mut listed = std::mem::take(&mut *log.lock().expect("no panic"));
    let mut expected = [names("now"), names("add")].concat();
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected);
    call(&dispatcher, "a._now", json!({}));
    assert_eq!(*log.lock().expect("no panic"), names("now"));
}

#[test]
fn states_are_shared_in_both_directions() {
    let dispatcher = built(exact().merge(Dispatcher::builder().tools(tools![read])).state(Db(1)));
    assert_eq!(value(&dispatcher, "read", json!({})), 1);
    let dispatcher = built(exact().tools(tools![read]).merge(Dispatcher::builder().state(Db(2))));
    assert_eq!(value(&dispatcher, "read", json!({})), 2);
}

#[test]
fn one_state_type_twice_is_an_error_unless_it_is_the_same_arc() {
    let merged = |db| Dispatcher::builder().tools(tools![read]).state(db);
    let found = faults(exact().merge(Dispatcher::builder().tools(tools![read]).state(Db(1))).state(Db(1)));
    let expected =
        "two merged builders have a state of the type `it::dispatcher::merged_builders::Db`; share one in an `Arc`";
    assert_eq!(found, [expected]);
    let shared = Arc::new(Db(7));
    let dispatcher = built(
        exact()
            .merge_with_prefix("a_", merged(Arc::clone(&shared)))
            .merge_with_prefix("b_", merged(Arc::clone(&shared)))
            .state(shared),
    );
    assert_eq!(value(&dispatcher, "b_read", json!({})), 7);
    let found = faults(exact().merge(merged(Arc::new(Db(1)))).state(Arc::new(Db(1))));
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_setting_of_the_merged_builder_is_an_error() {
    let settings: [(&str, fn(DispatcherBuilder) -> DispatcherBuilder); 9] = [
        ("timeout", |builder| builder.timeout(Duration::from_secs(1))),
        ("max_concurrency", |builder| builder.max_concurrency(2)),
        ("max_argument_bytes", |builder| builder.max_argument_bytes(1 << 20)),
        ("max_result_bytes", |builder| builder.max_result_bytes(4 << 20)),
        ("lax", |builder| builder.lax(false)),
        ("expose_developer_messages", |builder| builder.expose_developer_messages(false)),
        ("list_ttl", |builder| builder.list_ttl(Duration::from_secs(1))),
        ("list_scope", |builder| builder.list_scope(CacheScope::Private)),
        ("exact_calls", |builder| builder.exact_calls(ExactCalls::new(CallId::generate(), Duration::ZERO))),
    ];
    for (name, set) in settings {
        let found = faults(exact().merge(set(other())));
        assert_eq!(found, [format!("a merged builder sets `{name}`; set it on the builder that it is merged into")]);
    }
}

#[test]
fn two_tools_of_one_name_are_an_error_across_builders() {
    let found = faults(exact().tools(tools![add]).merge(other()));
    assert!(found[0].contains("two tools are named `add`"), "{found:?}");
}
