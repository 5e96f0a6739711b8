//! Rules about the claims of a caller: what they may return, and tools that they list and refuse.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_tool_runtime::{
    CallContext, CallId, CallToolRequest, Consent, DispatchError, Dispatcher, Extensions, ProtocolVersion, ToolError,
    ToolInfo, Visibility, export::Vendor, mcp_tool, middleware, tools,
};
use serde_json::{Value, json};

use super::Caller;
use super::carriers::call_over_each;
use super::transports::{Carrier, request};
use crate::run::{built, exact, faults, now};

/// Add two numbers.
#[mcp_tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Export all orders.
#[mcp_tool(tags("pro"))]
async fn export_orders(
    #[mcp_tool(header = "Region")] region: String,
    #[mcp_tool(ask = "Export all?")] sure: Consent,
    #[mcp_tool(extension)] _caller: &Caller,
) -> String {
    let Consent { .. } = sure;
    region
}

/// Call another tool.
#[mcp_tool]
async fn relay(name: String, #[mcp_tool(context)] cx: &CallContext) -> String {
    match cx.call(name, json!({})).await {
        Ok(response) => response.error().map_or("no error", |error| error.message()).to_owned(),
        Err(error) => error.to_string(),
    }
}

const WORDS: &str = "export_orders needs the plan Pro";

fn needs_pro(tool: &ToolInfo, caller: Option<&Caller>) -> Visibility {
    if tool.tags().contains("pro") && caller.is_none_or(|caller| caller.level < 2) {
        return Visibility::RefusedWith(format!("{} needs the plan Pro", tool.name()));
    }
    Visibility::Shown
}

fn dispatcher() -> Dispatcher {
    built(exact().tools(tools![add, export_orders, relay]).visible_to::<Caller>(needs_pro))
}

fn attached(caller: Option<Caller>) -> Extensions {
    let mut extensions = Extensions::new();
    if let Some(caller) = caller {
        extensions.insert(caller);
    }
    extensions
}

fn seen(dispatcher: &Dispatcher, caller: Option<Caller>) -> Vec<&str> {
    dispatcher.seen_by(&attached(caller)).list().into_iter().map(|tool| tool.name.as_str()).collect()
}

fn of_level(level: u8) -> Caller {
    Caller { level, scopes: Vec::new() }
}

#[tokio::test]
async fn a_refused_call_is_an_error_result_in_the_words_of_the_rule_in_every_carrier() {
    let dispatcher = dispatcher();
    for caller in [None, Some(of_level(1))] {
        // The second and the third have arguments that are wrong in themselves.
        for arguments in [json!({"region": "eu"}), json!({"regio": 5}), json!("no object")] {
            for (carrier, answer) in call_over_each(&dispatcher, caller.as_ref(), "export_orders", &arguments).await {
                // What is not an object reaches neither the SDK's `call_tool` nor the command line.
                if !arguments.is_object() && ["SdkHttp", "SdkStdio", "rmcp_routes", "cli"].contains(&&*carrier) {
                    continue;
                }
                assert!(answer.contains(WORDS), "{carrier}, {arguments}: {answer}");
                assert!(
                    !answer.contains("invalid arguments") && !answer.contains("unknown tool"),
                    "{carrier}: {answer}"
                );
                if carrier == "PlainHttp" {
                    assert!(answer.starts_with("403"), "{answer}");
                } else if carrier == "Endpoint" {
                    // The header that repeats an argument is missing, which is not looked at either.
                    assert!(answer.starts_with("200") && answer.contains(r#""isError":true"#), "{answer}");
                }
            }
        }
    }
    let called = CallToolRequest::new("relay", json!({"name": "export_orders"}));
    let response = dispatcher.call(called).await.expect("a response");
    assert_eq!(response.deserialize::<String>().expect("a text"), WORDS);
}

#[tokio::test]
async fn a_refused_tool_is_listed_in_every_carrier() {
    let dispatcher = dispatcher();
    assert_eq!(seen(&dispatcher, None), ["add", "export_orders", "relay"]);
    for version in ProtocolVersion::ALL {
        for carrier in Carrier::ALL {
            let list = carrier.ask(&dispatcher, None, version, &request(version, "tools/list", json!({}))).await;
            assert!(list.contains(r#""name":"export_orders""#), "{carrier:?}: {list}");
        }
    }
    let export = dispatcher.seen_by(&Extensions::new()).export(Vendor::OpenAiChat);
    assert_eq!(export.tools().len(), 3);
}

#[test]
fn a_refused_call_has_the_id_of_its_request_and_a_code_and_took_no_time() {
    let dispatcher = dispatcher();
    let request = CallToolRequest::new("export_orders", json!({})).with_call_id("mine");
    let response = now(dispatcher.call(request)).expect("a response");
    let error = response.error().expect("an error");
    assert_eq!((response.call_id().as_str(), error.code(), error.can_retry()), ("mine", Some("refused"), false));
    assert!(response.duration().is_zero());
    let params = json!({"name": "export_orders", "_meta": {"rs.mcp-tool/call_id": "theirs"}}).to_string();
    let bytes = now(dispatcher.call_json(params.as_bytes(), ProtocolVersion::LATEST)).expect("a result");
    let result: Value = serde_json::from_slice(&bytes).expect("JSON");
    assert_eq!(result["_meta"]["rs.mcp-tool/call_id"], "theirs");
    assert_eq!(result["_meta"]["rs.mcp-tool/code"], "refused");
    let response = now(dispatcher.call(CallToolRequest::new("export_orders", json!({})))).expect("a response");
    assert_eq!(response.call_id(), &CallId::new("call-1").expect("an id"), "the generator of the builder makes others");
}

#[test]
fn no_layer_sees_a_refused_call() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let count = middleware::from_fn(move |request, cx, next| {
        counted.fetch_add(1, Ordering::SeqCst);
        Box::pin(next.run(request, cx))
    });
    let dispatcher = built(exact().tools(tools![export_orders]).middleware(count).visible_to::<Caller>(needs_pro));
    let response = now(dispatcher.call(CallToolRequest::new("export_orders", json!({})))).expect("a response");
    assert_eq!(response.error().map(ToolError::message), Some(WORDS));
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_refused_call_waits_for_no_permit() {
    /// Wait until the test ends.
    #[mcp_tool]
    async fn wait() {
        std::future::pending::<()>().await;
    }

    let builder = exact().tools(tools![wait, export_orders]).max_concurrency(1).visible_to::<Caller>(needs_pro);
    let dispatcher = built(builder);
    let mut waiting = std::pin::pin!(dispatcher.call(CallToolRequest::new("wait", json!({}))));
    assert!(crate::run::polled(waiting.as_mut()).is_none());
    let response = now(dispatcher.call(CallToolRequest::new("export_orders", json!({})))).expect("a response");
    assert_eq!(response.error().map(ToolError::message), Some(WORDS));
}

#[test]
fn hidden_wins_over_refused_and_the_first_refusal_over_shown() {
    const RULES: [fn(&ToolInfo, Option<&Caller>) -> Visibility; 4] = [
        |_, _| Visibility::Shown,
        |_, _| Visibility::Refused("first"),
        |_, _| Visibility::Refused("second"),
        |_, _| Visibility::Hidden,
    ];
    for one in 0..4 {
        for two in 0..4 {
            let [first, second] = [one, two].map(|index| RULES[index]);
            let dispatcher = built(exact().tools(tools![add]).visible_to::<Caller>(first).visible_to::<Caller>(second));
            let answer = now(dispatcher.call(CallToolRequest::new("add", json!({"a": 1, "b": 2}))));
            let expected = match (one, two) {
                (3, _) | (_, 3) => "unknown tool `add`",
                (0, 0) => "3",
                (1, _) | (0, 1) => "first",
                _ => "second",
            };
            let found = match answer {
                Ok(response) => match response.error() {
                    Some(error) => error.message().to_owned(),
                    None => response.value().expect("a value").to_string(),
                },
                Err(error) => error.to_string(),
            };
            assert_eq!(found, expected, "{one} {two}");
            assert_eq!(seen(&dispatcher, None).len(), usize::from(one != 3 && two != 3));
        }
    }
}

#[test]
fn a_rule_returns_a_bool_or_a_visibility_and_hides_if_it_panics() {
    let builder = || exact().tools(tools![add]);
    let with_bool = built(builder().visible_to::<Caller>(|_, caller| caller.is_some_and(|caller| caller.level > 0)));
    assert!(seen(&with_bool, None).is_empty() && seen(&with_bool, Some(of_level(0))).is_empty());
    assert_eq!(seen(&with_bool, Some(of_level(1))), ["add"]);
    let with_types = built(builder().visible_to::<Caller>(|tool: &ToolInfo, caller: Option<&Caller>| match caller {
        Some(_) if tool.name() == "add" => Visibility::Shown,
        _ => Visibility::Hidden,
    }));
    assert!(seen(&with_types, None).is_empty());
    assert_eq!(seen(&with_types, Some(of_level(0))), ["add"]);
    let broken = built(builder().visible_to::<Caller>(|_, _| -> bool { panic!("a mistake in the rule") }));
    assert!(seen(&broken, Some(of_level(9))).is_empty(), "a rule that panics hides");
    let request = CallToolRequest::new("add", json!({})).with_extension(Caller::default());
    let error = now(broken.call(request)).expect_err("an error");
    assert_eq!(error, DispatchError::UnknownTool { name: "add".to_owned(), did_you_mean: None });
}

#[test]
fn the_name_of_a_refused_tool_is_suggested_and_that_of_a_hidden_one_is_not() {
    let error = |dispatcher: &Dispatcher| {
        now(dispatcher.call(CallToolRequest::new("export_order", json!({})))).expect_err("an error").to_string()
    };
    assert!(error(&dispatcher()).contains("did you mean `export_orders`?"));
    let builder = exact().tools(tools![add, export_orders]).visible_to::<Caller>(needs_pro);
    let hidden = built(builder.visible_to::<Caller>(|tool, _| !tool.tags().contains("pro")));
    assert_eq!(error(&hidden), "unknown tool `export_order`");
}

#[test]
fn a_rule_about_claims_reads_no_scopes_and_makes_lists_private() {
    use mcp_tool_runtime::{ToolHandler as _, mcp::CacheScope};

    let found = faults(exact().tool(add {}.with_scopes(["numbers"])).visible_to::<Caller>(|_, _| true));
    assert!(found.len() == 1 && found[0].contains("no rule checks scopes"), "{found:?}");
    let public = exact().tools(tools![add]).list_scope(CacheScope::Public);
    assert!(faults(public.visible_to::<Caller>(|_, _| true))[0].contains("nobody may share them"));
}

#[tokio::test]
async fn a_missing_scope_comes_before_a_refusal() {
    use mcp_tool_runtime::ToolHandler as _;
    use mcp_tool_runtime::http::Endpoint;

    let builder = exact().tool(export_orders {}.with_scopes(["orders:read"]));
    let dispatcher = built(builder.visible_by_scopes::<Caller>().visible_to::<Caller>(needs_pro));
    let version = ProtocolVersion::V2025_11_25;
    let call = request(version, "tools/call", json!({"name": "export_orders", "arguments": {}}));
    let endpoint = Endpoint::new(dispatcher.clone()).with_scope_challenge("https://example.com/metadata");
    let ask = async |caller: &Caller| super::transports::ask_endpoint(&endpoint, Some(caller), version, &call).await;
    assert!(ask(&Caller::default()).await.starts_with("403"));
    let refused = ask(&Caller::with_scopes(&["orders:read"])).await;
    assert!(refused.starts_with("200") && refused.contains(WORDS), "{refused}");
    let hidden = Carrier::Endpoint.ask(&dispatcher, Some(&Caller::default()), version, &call).await;
    assert!(hidden.contains("unknown tool `export_orders`"), "{hidden}");
}
