//! How often the rules are asked about a call: once, whatever carries the call and whatever they decide.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use http::Request;
use mcp_tool_runtime::http::{Endpoint, PlainHttp};
use mcp_tool_runtime::{
    CallContext, CallToolRequest, Dispatcher, Extensions, ProtocolVersion, ToolInfo, Visibility, listing::HasScopes,
    mcp_tool, tools,
};
use rmcp::handler::server::router::Router;
use rmcp::{ServerHandler, ServiceExt as _};
use serde_json::json;
use tower::ServiceExt as _;

use super::transports::{Carrier, exchange_lines, request};
use crate::run::{built, exact};

/// Answer with the region, which is in a header too.
#[mcp_tool]
async fn shown(#[mcp_tool(header = "Region")] region: Option<String>) -> Option<String> {
    region
}

/// Return a number.
#[mcp_tool]
async fn refused() -> u8 {
    1
}

/// Return a number.
#[mcp_tool]
async fn hidden() -> u8 {
    1
}

/// Call another tool.
#[mcp_tool]
async fn relay(name: String, #[mcp_tool(context)] cx: &CallContext) -> bool {
    cx.call(name, json!({})).await.is_ok()
}

/// How often the rule was asked about the tool that is called.
#[derive(Clone, Default)]
struct Asked(Arc<AtomicUsize>);

impl Asked {
    fn take(&self) -> usize {
        self.0.swap(0, Ordering::SeqCst)
    }

    fn dispatcher(&self, called: &'static str) -> Dispatcher {
        let count = Arc::clone(&self.0);
        let rule = move |tool: &ToolInfo, _: Option<&u8>| {
            count.fetch_add(usize::from(tool.name() == called), Ordering::SeqCst);
            match tool.name() {
                "hidden" => Visibility::Hidden,
                "refused" => Visibility::Refused("not for you"),
                _ => Visibility::Shown,
            }
        };
        built(exact().tools(tools![shown, refused, hidden, relay]).visible_to::<u8>(rule))
    }
}

struct Existing;

impl ServerHandler for Existing {}

fn post(name: &str) -> Request<Body> {
    let request = Request::post(format!("http://localhost/{name}")).header("content-type", "application/json");
    request.body(Body::from("{}")).expect("a request")
}

#[tokio::test]
async fn a_rule_is_asked_once_for_a_call_in_every_carrier() {
    for name in ["shown", "refused", "hidden"] {
        let asked = Asked::default();
        let dispatcher = asked.dispatcher(name);
        let call = |version| request(version, "tools/call", json!({"name": name, "arguments": {}}));
        let _ = dispatcher.call(CallToolRequest::new(name, json!({}))).await;
        assert_eq!(asked.take(), 1, "call of {name}");
        let params = json!({"name": name}).to_string();
        let _ = dispatcher.call_json(params.as_bytes(), ProtocolVersion::LATEST).await;
        assert_eq!(asked.take(), 1, "call_json of {name}");
        let _ = dispatcher.call(CallToolRequest::new("relay", json!({"name": name}))).await;
        assert_eq!(asked.take(), 1, "a nested call of {name}");
        let _ = PlainHttp::new(dispatcher.clone()).oneshot(post(name)).await;
        assert_eq!(asked.take(), 1, "plain HTTP, {name}");
        for carrier in Carrier::ALL {
            for version in ProtocolVersion::ALL {
                carrier.ask(&dispatcher, None, version, &call(version)).await;
                assert_eq!(asked.take(), 1, "{carrier:?} {version}, {name}");
            }
        }
        let version = ProtocolVersion::V2025_11_25;
        let server = dispatcher.rmcp_routes().into_iter().fold(Router::new(Existing), Router::with_tool);
        let (near, far) = tokio::io::duplex(1 << 16);
        let running = tokio::spawn(async move {
            if let Ok(running) = server.serve(far).await {
                let _ = running.waiting().await;
            }
        });
        let listed = asked.take();
        exchange_lines(near, version, &call(version)).await;
        running.await.expect("no panic");
        // There is no route for a hidden tool.
        assert_eq!((listed, asked.take()), (1, usize::from(name != "hidden")), "rmcp_routes, {name}");
    }
}

#[tokio::test]
async fn the_principal_is_asked_for_once_by_the_record_and_the_limits_of_a_call() {
    let asked = Asked::default();
    let count = asked.clone();
    let principal = move |_: &Extensions| {
        count.0.fetch_add(1, Ordering::SeqCst);
        Some("ann".to_owned())
    };
    let builder = exact().tools(tools![shown]).principal(principal).limit_per_caller("1000/s");
    let dispatcher = built(builder.on_call(|_| {}));
    for name in ["shown", "unknown"] {
        let call = |version| request(version, "tools/call", json!({"name": name, "arguments": {}}));
        let _ = dispatcher.call(CallToolRequest::new(name, json!({}))).await;
        assert_eq!(asked.take(), 1, "call of {name}");
        let _ = PlainHttp::new(dispatcher.clone()).oneshot(post(name)).await;
        assert_eq!(asked.take(), 1, "plain HTTP, {name}");
        for carrier in Carrier::ALL {
            for version in ProtocolVersion::ALL {
                carrier.ask(&dispatcher, None, version, &call(version)).await;
                assert_eq!(asked.take(), 1, "{carrier:?} {version}, {name}");
            }
        }
    }
}

/// A caller without scopes, who counts how often somebody asks.
#[derive(Clone)]
struct Counting(Asked);

impl HasScopes for Counting {
    fn has_scope(&self, _: &str) -> bool {
        self.0.0.fetch_add(1, Ordering::SeqCst);
        false
    }
}

/// Place an order.
#[mcp_tool(scopes("orders:write"))]
async fn order() {}

#[tokio::test]
async fn a_challenge_of_scopes_asks_no_rule_again() {
    let dispatcher = built(exact().tools(tools![order]).visible_by_scopes::<Counting>());
    let metadata = "https://example.com/.well-known/oauth-protected-resource";
    let asked = Asked::default();
    let mut plain = post("order");
    plain.extensions_mut().insert(Counting(asked.clone()));
    let rest = PlainHttp::new(dispatcher.clone()).with_scope_challenge(metadata);
    let response = rest.oneshot(plain).await.unwrap_or_else(|never| match never {});
    assert_eq!((response.status().as_u16(), asked.take()), (403, 1));

    let call = request(ProtocolVersion::V2025_06_18, "tools/call", json!({"name": "order"})).to_string();
    let post = Request::post("http://localhost/").header("content-type", "application/json");
    let post = post.header("accept", "application/json, text/event-stream");
    let mut post = post.body(Body::from(call)).expect("a request");
    post.extensions_mut().insert(Counting(asked.clone()));
    let endpoint = Endpoint::new(dispatcher).with_scope_challenge(metadata);
    let response = endpoint.oneshot(post).await.unwrap_or_else(|never| match never {});
    assert_eq!((response.status().as_u16(), asked.take()), (403, 1));
}
