//! The rules themselves: what they see, when they run, and what a caller learns.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_tool_runtime::{
    CacheScope, CallToolRequest, DispatchError, Dispatcher, Extensions, ProtocolVersion, layer_fn, mcp_tool, tools,
};
use serde_json::json;

use crate::{Caller, built, exact, faults, now};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Add many numbers.
#[mcp_tool(tags("staff"))]
async fn add_all(numbers: Vec<i64>) -> i64 {
    numbers.iter().sum()
}

/// Read orders.
#[mcp_tool(scopes("orders:read", "orders:list"))]
async fn read_orders() -> u8 {
    0
}

fn dispatcher() -> Dispatcher {
    let rule = |tool: &mcp_tool_runtime::ToolInfo, extensions: &Extensions| {
        !tool.tags().contains("staff") || extensions.get::<Caller>().is_some_and(|caller| caller.level > 0)
    };
    built(exact().tools(tools![add, add_all, read_orders]).visible(rule).visible_by_scopes::<Caller>())
}

fn seen(dispatcher: &Dispatcher, caller: Option<Caller>) -> Vec<&str> {
    let mut extensions = Extensions::new();
    if let Some(caller) = caller {
        extensions.insert(caller);
    }
    dispatcher.seen_by(&extensions).list().into_iter().map(|tool| tool.name.as_str()).collect()
}

fn refusal(dispatcher: &Dispatcher, name: &str) -> DispatchError {
    now(dispatcher.call(CallToolRequest::new(name, json!({})))).expect_err("an error")
}

#[test]
fn each_caller_sees_the_tools_whose_rules_all_hold() {
    let dispatcher = dispatcher();
    assert_eq!(seen(&dispatcher, None), ["add"]);
    assert_eq!(seen(&dispatcher, Some(Caller { level: 1, scopes: Vec::new() })), ["add", "add_all"]);
    assert_eq!(seen(&dispatcher, Some(Caller::with_scopes(&["orders:read"]))), ["add"]);
    assert_eq!(seen(&dispatcher, Some(Caller::with_scopes(&["orders:list", "orders:read"]))), ["add", "read_orders"]);
    assert_eq!(dispatcher.list().len(), 3);
}

#[test]
fn scopes_are_found_behind_an_arc() {
    let dispatcher = built(exact().tools(tools![read_orders]).visible_by_scopes::<Arc<Caller>>());
    let mut extensions = Extensions::new();
    extensions.insert(Arc::new(Caller::with_scopes(&["orders:read", "orders:list"])));
    assert_eq!(dispatcher.seen_by(&extensions).list().len(), 1);
}

#[test]
fn a_hidden_tool_is_an_unknown_tool() {
    let dispatcher = dispatcher();
    let error = refusal(&dispatcher, "read_orders");
    assert_eq!(error, DispatchError::UnknownTool { name: "read_orders".to_owned(), did_you_mean: None });
    assert_eq!((error.code(), error.to_string().as_str()), (-32602, "unknown tool `read_orders`"));
}

#[test]
fn no_hidden_name_is_suggested() {
    let dispatcher = dispatcher();
    for name in ["add_al", "add_all", "read_order"] {
        let DispatchError::UnknownTool { did_you_mean, .. } = refusal(&dispatcher, name) else { panic!("unknown") };
        assert!(did_you_mean.as_deref().is_none_or(|near| near == "add"), "{name}: {did_you_mean:?}");
    }
    let staff = CallToolRequest::new("add_al", json!({})).with_extension(Caller { level: 1, scopes: Vec::new() });
    let error = now(dispatcher.call(staff)).expect_err("an error");
    assert!(error.to_string().contains("did you mean `add_all`?"), "a visible name is: {error}");
}

#[test]
fn a_rule_that_panics_hides_the_tool() {
    let dispatcher = built(exact().tools(tools![add]).visible(|_, _| panic!("a fault in the rule")));
    assert!(seen(&dispatcher, None).is_empty());
    assert_eq!(refusal(&dispatcher, "add").to_string(), "unknown tool `add`");
}

#[test]
fn the_rule_sees_what_the_transport_attached_and_not_what_a_layer_adds() {
    let attach = layer_fn(|request, cx, next| {
        request.extensions.insert(Caller { level: 9, scopes: Vec::new() });
        Box::pin(next.run(request, cx))
    });
    let rule = |_: &mcp_tool_runtime::ToolInfo, extensions: &Extensions| extensions.get::<Caller>().is_some();
    let dispatcher = built(exact().tools(tools![add]).layer(attach).visible(rule));
    assert!(matches!(refusal(&dispatcher, "add"), DispatchError::UnknownTool { .. }));
}

#[test]
fn the_rule_runs_before_layers_and_required_extensions() {
    /// Take what nobody attaches.
    #[mcp_tool]
    async fn needy(#[mcp_tool(extension)] caller: &Caller) -> u8 {
        caller.level
    }

    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let count = layer_fn(move |request, cx, next| {
        counted.fetch_add(1, Ordering::SeqCst);
        Box::pin(next.run(request, cx))
    });
    let dispatcher = built(exact().tools(tools![needy]).layer(count).visible(|_, _| false));
    assert!(matches!(refusal(&dispatcher, "needy"), DispatchError::UnknownTool { .. }));
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}

#[test]
fn a_list_that_depends_on_the_caller_cannot_be_public() {
    let with = |builder: mcp_tool_runtime::DispatcherBuilder| builder.tools(tools![add]).list_scope(CacheScope::Public);
    let found = faults(with(exact().visible(|_, _| true)));
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("remove `list_scope(CacheScope::Public)`"), "{found:?}");
    assert_eq!(faults(with(exact().visible_by_scopes::<Caller>())).len(), 1);
    built(with(exact()));
}

#[test]
fn the_list_of_a_caller_keeps_the_hints_for_caches() {
    let list = dispatcher().seen_by(&Extensions::new()).list_json(ProtocolVersion::V2026_07_28);
    let list: serde_json::Value = serde_json::from_slice(&list).expect("JSON");
    assert_eq!((&list["cacheScope"], &list["ttlMs"]), (&json!("private"), &json!(300_000)));
}

#[test]
fn open_tool_calling_lists_the_same_tools() {
    /// Add two numbers.
    #[mcp_tool(name = "Math.Add")]
    async fn add(
        /** One. */
        a: i64,
    ) -> i64 {
        a
    }

    /// Break a rule of the format.
    #[mcp_tool(name = "hidden")]
    async fn hidden() {}

    let dispatcher = built(exact().tools(tools![add, hidden]).visible(|tool, _| tool.name() != "hidden"));
    assert!(dispatcher.list_otc("1.0.0").is_err());
    let seen = dispatcher.seen_by(&Extensions::new());
    let listed = seen.list_otc("1.0.0").expect("valid definitions");
    assert_eq!(listed.iter().map(|tool| tool.id.as_str()).collect::<Vec<_>>(), ["Math.Add@1.0.0"]);
}

/// Answer with the region, which is in a header too.
#[mcp_tool]
async fn region(#[mcp_tool(header = "Region")] region: String) -> String {
    region
}

#[tokio::test]
async fn headers_are_compared_with_arguments_for_callers_who_see_the_tool() {
    use crate::carriers::{Carrier, request};

    let rule = |tool: &mcp_tool_runtime::ToolInfo, extensions: &Extensions| {
        tool.name() != "region" || extensions.get::<Caller>().is_some()
    };
    let dispatcher = built(exact().tools(tools![region]).visible(rule));
    let version = ProtocolVersion::V2026_07_28;
    let call = request(version, "tools/call", json!({"name": "region", "arguments": {"region": "eu"}}));
    for carrier in [Carrier::Endpoint, Carrier::SdkHttp] {
        let seen = carrier.ask(&dispatcher, Some(&Caller::default()), version, &call).await;
        assert!(seen.starts_with("400") && seen.contains("-32020"), "{carrier:?}: {seen}");
        let hidden = carrier.ask(&dispatcher, None, version, &call).await;
        assert!(hidden.contains("unknown tool `region`"), "{carrier:?}: {hidden}");
    }
}
