//! The rules themselves: what they see, when they run, and what a caller learns.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_tool_runtime::{
    CallToolRequest, DispatchError, Dispatcher, Extensions, ProtocolVersion, ToolHandler, ToolInfo,
    export::Vendor,
    mcp::{self, CacheScope},
    mcp_tool, middleware, tools,
};
use serde_json::json;

use crate::listing::Caller;
use crate::run::{built, exact, faults, now};

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
    let rule = |tool: &ToolInfo, extensions: &Extensions| {
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
    assert_eq!(dispatcher.list_all().len(), 3);
}

#[test]
fn a_list_without_a_caller_names_no_hidden_tool() {
    let dispatcher = dispatcher();
    let names = |tools: &[mcp::Tool]| tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(dispatcher.list()), ["add"]);
    for version in ProtocolVersion::ALL {
        assert_eq!(names(dispatcher.list_for(version)), ["add"]);
        let seen_by_nobody = dispatcher.seen_by(&Extensions::new()).list_json(version);
        assert_eq!(dispatcher.list_json(version), seen_by_nobody);
    }
    let everything = format!("{}{:?}", dispatcher.openapi(), dispatcher.export(Vendor::OpenAiChat).tools());
    assert!(everything.contains("add") && !everything.contains("read_orders"), "{everything}");
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
fn each_rule_is_called_once_for_each_tool_that_those_before_it_show() {
    let number = |tool: &ToolInfo| tool.name()[1..].parse::<usize>().expect("a number");
    let (first, second) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (count_first, count_second) = (Arc::clone(&first), Arc::clone(&second));
    let builder = (0..300).fold(exact(), |builder, number| builder.tool(add {}.with_name(format!("t{number}"))));
    let dispatcher = built(
        builder
            .visible(move |tool, _| {
                count_first.fetch_add(1, Ordering::SeqCst);
                number(tool).is_multiple_of(2)
            })
            .visible(move |tool, _| {
                count_second.fetch_add(1, Ordering::SeqCst);
                assert!(!number(tool).is_multiple_of(3), "a fault in the rule");
                !number(tool).is_multiple_of(5)
            }),
    );
    let expected: Vec<_> = (0..300_usize)
        .filter(|n| n.is_multiple_of(2) && !n.is_multiple_of(3) && !n.is_multiple_of(5))
        .map(|n| format!("t{n}"))
        .collect();
    assert_eq!(seen(&dispatcher, None), expected);
    assert_eq!((first.load(Ordering::SeqCst), second.load(Ordering::SeqCst)), (300, 150));
}

#[tokio::test]
async fn a_hidden_tool_costs_as_many_calls_of_the_rule_as_an_unknown_one() {
    use crate::listing::transports::{Carrier, request};

    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let rule = move |tool: &ToolInfo, _: &Extensions| {
        counter.fetch_add(1, Ordering::SeqCst);
        tool.name() == "add"
    };
    let dispatcher = built(exact().tools(tools![add, add_all, read_orders]).visible(rule).scopes_are_read());
    for version in ProtocolVersion::ALL {
        for carrier in Carrier::ALL {
            let mut counts = Vec::new();
            for name in ["add_all", "no_such"] {
                calls.store(0, Ordering::SeqCst);
                let call = request(version, "tools/call", json!({"name": name}));
                let answer = carrier.ask(&dispatcher, None, version, &call).await;
                assert!(answer.contains("unknown tool"), "{answer}");
                counts.push(calls.load(Ordering::SeqCst));
            }
            assert_eq!(counts, [3, 3], "{carrier:?} {version}");
        }
    }
}

#[test]
fn the_rule_sees_what_the_transport_attached_and_not_what_a_layer_adds() {
    let attach = middleware::from_fn(|request, cx, next| {
        request.extensions.insert(Caller { level: 9, scopes: Vec::new() });
        Box::pin(next.run(request, cx))
    });
    let rule = |_: &ToolInfo, extensions: &Extensions| extensions.get::<Caller>().is_some();
    let dispatcher = built(exact().tools(tools![add]).middleware(attach).visible(rule));
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
    let count = middleware::from_fn(move |request, cx, next| {
        counted.fetch_add(1, Ordering::SeqCst);
        Box::pin(next.run(request, cx))
    });
    let dispatcher = built(exact().tools(tools![needy]).middleware(count).visible(|_, _| false));
    assert!(matches!(refusal(&dispatcher, "needy"), DispatchError::UnknownTool { .. }));
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn the_state_of_a_question_is_not_looked_at_for_a_hidden_tool() {
    /// Delete all orders.
    #[mcp_tool(tags("staff"))]
    async fn delete_orders(#[mcp_tool(ask = "Delete all?")] _sure: mcp_tool_runtime::Consent) {}

    let rule = |_: &ToolInfo, extensions: &Extensions| extensions.get::<Caller>().is_some();
    let dispatcher = built(exact().tools(tools![delete_orders]).visible(rule));
    let call = || {
        let request = CallToolRequest::new("delete_orders", json!({}));
        request.with_request_state("forged").with_input_responses(json!({"sure": {"action": "accept"}}))
    };
    let hidden = dispatcher.call(call()).await.expect_err("an error");
    assert!(matches!(hidden, DispatchError::UnknownTool { did_you_mean: None, .. }), "{hidden:?}");
    let visible = dispatcher.call(call().with_extension(Caller::default())).await.expect_err("an error");
    assert_eq!(visible, DispatchError::InvalidState);
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

#[tokio::test]
async fn nobody_stores_the_lists_of_plain_http_that_depend_on_the_caller() {
    use mcp_tool_runtime::http::PlainHttp;
    use tower::ServiceExt as _;

    let cached = async |builder: mcp_tool_runtime::DispatcherBuilder, path: &str| {
        let request = http::Request::get(format!("http://localhost/{path}")).body(String::new()).expect("a request");
        let answer = PlainHttp::new(built(builder.tools(tools![add]))).oneshot(request).await;
        let response = answer.unwrap_or_else(|never| match never {});
        response.headers()["cache-control"].to_str().expect("ASCII").to_owned()
    };
    for path in ["", "openapi.json"] {
        assert_eq!(cached(exact(), path).await, "private, max-age=300");
        assert_eq!(cached(exact().list_scope(CacheScope::Public), path).await, "public, max-age=300");
        assert_eq!(cached(exact().visible(|_, _| true), path).await, "no-store");
    }
}

#[tokio::test]
async fn the_page_does_not_say_how_many_tools_are_hidden() {
    use http_body_util::BodyExt as _;
    use mcp_tool_runtime::http::Page;
    use mcp_tool_runtime::{DispatcherBuilder, ToolHandler as _};
    use tower::ServiceExt as _;

    let many = (0..200).fold(exact(), |builder, index| builder.tool(add {}.with_name(format!("add_{index}"))));
    let few = (0..2).fold(exact(), |builder, index| builder.tool(add {}.with_name(format!("add_{index}"))));
    let overview = async |builder: DispatcherBuilder| {
        let request = http::Request::post("http://localhost/?tools").body(String::new()).expect("a request");
        let response = Page::new(built(builder)).oneshot(request).await.unwrap_or_else(|never| match never {});
        let body = response.into_body().collect().await.expect("a body").to_bytes();
        String::from_utf8(body.to_vec()).expect("UTF-8")
    };
    let shown = |builder: DispatcherBuilder| builder.visible(|tool, _| ["add_0", "add_1"].contains(&tool.name()));
    assert_eq!(overview(shown(many)).await, overview(shown(few)).await);
    let all = (0..200).fold(exact(), |builder, index| builder.tool(add {}.with_name(format!("add_{index}"))));
    assert!(overview(all).await.contains("there are 200 tools"), "a caller who sees all tools is told");
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

    struct Staff;

    /// Break a rule of the format.
    #[mcp_tool(name = "hidden")]
    async fn hidden() {}

    let dispatcher = built(
        exact()
            .tools(tools![add, hidden])
            .visible(|tool, caller| tool.name() != "hidden" || caller.get::<Staff>().is_some()),
    );
    let mut extensions = Extensions::new();
    extensions.insert(Staff);
    assert!(dispatcher.seen_by(&extensions).list_otc("1.0.0").is_err());
    let listed = dispatcher.list_otc("1.0.0").expect("valid definitions");
    assert_eq!(listed.iter().map(|tool| tool.id.as_str()).collect::<Vec<_>>(), ["Math.Add@1.0.0"]);
}

/// Answer with the region, which is in a header too.
#[mcp_tool]
async fn region(#[mcp_tool(header = "Region")] region: String) -> String {
    region
}

#[tokio::test]
async fn headers_are_compared_with_arguments_for_callers_who_see_the_tool() {
    use crate::listing::transports::{Carrier, request};

    let rule =
        |tool: &ToolInfo, extensions: &Extensions| tool.name() != "region" || extensions.get::<Caller>().is_some();
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
