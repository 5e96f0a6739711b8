//! `Endpoint::with_scope_challenge`: a caller learns which scopes it lacks.

use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::{Dispatcher, ProtocolVersion, mcp_tool, tools};
use serde_json::{Value, json};

use crate::listing::Caller;
use crate::listing::transports::{ask_endpoint, request};
use crate::run::{built, exact};

const METADATA: &str = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

/// Read orders.
#[mcp_tool(scopes("orders:read"))]
async fn read_orders() -> u8 {
    1
}

/// Place an order.
#[mcp_tool(scopes("orders:read", "orders:write"))]
async fn place_order(#[mcp_tool(header = "Share")] share: String) -> String {
    share
}

/// Reset everything.
#[mcp_tool(tags("admin"), scopes("admin"))]
async fn reset() {}

fn dispatcher() -> Dispatcher {
    let rule = |tool: &mcp_tool_runtime::ToolInfo, extensions: &mcp_tool_runtime::Extensions| {
        !tool.tags().contains("admin") || extensions.get::<Caller>().is_some_and(|caller| caller.level > 0)
    };
    built(exact().tools(tools![read_orders, place_order, reset]).visible(rule).visible_by_scopes::<Caller>())
}

fn endpoint() -> Endpoint {
    Endpoint::new(dispatcher()).with_scope_challenge(METADATA)
}

fn body(answer: &str) -> Value {
    let start = answer.find('{').expect("JSON");
    serde_json::from_str(&answer[start..]).expect("JSON")
}

#[tokio::test]
async fn tools_that_only_scopes_hide_are_listed() {
    let caller = Caller::with_scopes(&["orders:read"]);
    for version in ProtocolVersion::ALL {
        let list = request(version, "tools/list", json!({}));
        let names = |answer: String| -> Vec<String> {
            let tools = body(&answer)["result"]["tools"].take();
            tools
                .as_array()
                .expect("tools")
                .iter()
                .map(|tool| tool["name"].as_str().expect("a name").to_owned())
                .collect()
        };
        let with = names(ask_endpoint(&endpoint(), Some(&caller), version, &list).await);
        assert_eq!(with, ["read_orders", "place_order"]);
        let without = names(ask_endpoint(&Endpoint::new(dispatcher()), Some(&caller), version, &list).await);
        assert_eq!(without, ["read_orders"]);
    }
}

#[tokio::test]
async fn a_call_without_the_scopes_is_told_all_of_them() {
    let caller = Caller::with_scopes(&["orders:read"]);
    for version in ProtocolVersion::ALL {
        // The arguments are wrong, and the header that repeats one is missing: neither matters.
        for arguments in [json!({"share": "x"}), json!({}), json!(5)] {
            let call = request(version, "tools/call", json!({"name": "place_order", "arguments": arguments}));
            let answer = ask_endpoint(&endpoint(), Some(&caller), version, &call).await;
            let expected = format!(
                r#"403 Forbidden [Bearer error="insufficient_scope", scope="orders:read orders:write", resource_metadata="{METADATA}"]"#
            );
            assert!(answer.starts_with(&expected), "{answer}");
            let body = body(&answer);
            assert_eq!((&body["id"], &body["error"]["code"]), (&json!(7), &json!(-32600)), "{answer}");
        }
    }
}

#[tokio::test]
async fn what_visible_hides_stays_unknown() {
    for caller in [None, Some(Caller::with_scopes(&[])), Some(Caller::with_scopes(&["admin"]))] {
        let version = ProtocolVersion::V2025_11_25;
        let hidden = request(version, "tools/call", json!({"name": "reset"}));
        let unknown = request(version, "tools/call", json!({"name": "other"}));
        let hidden = ask_endpoint(&endpoint(), caller.as_ref(), version, &hidden).await;
        let unknown = ask_endpoint(&endpoint(), caller.as_ref(), version, &unknown).await;
        assert_eq!(hidden.replace("reset", "other"), unknown);
    }
    let staff = Caller { level: 1, scopes: Vec::new() };
    let call = request(ProtocolVersion::V2025_11_25, "tools/call", json!({"name": "reset"}));
    let answer = ask_endpoint(&endpoint(), Some(&staff), ProtocolVersion::V2025_11_25, &call).await;
    assert!(answer.starts_with("403") && answer.contains(r#"scope="admin""#), "{answer}");
}

#[tokio::test]
async fn a_caller_with_the_scopes_calls_as_usual() {
    let caller = Caller::with_scopes(&["orders:read", "orders:write"]);
    let version = ProtocolVersion::V2025_11_25;
    let call = request(version, "tools/call", json!({"name": "place_order", "arguments": {"share": "acme"}}));
    let answer = ask_endpoint(&endpoint(), Some(&caller), version, &call).await;
    assert_eq!(body(&answer)["result"]["structuredContent"], json!({"result": "acme"}), "{answer}");
}

#[tokio::test]
async fn a_character_that_urls_do_not_have_is_percent_encoded() {
    let endpoint = Endpoint::new(dispatcher()).with_scope_challenge("https://example.com/\"x\\ é%20?a=1");
    let call = request(ProtocolVersion::LATEST, "tools/call", json!({"name": "place_order"}));
    let caller = Caller::with_scopes(&["orders:read"]);
    let answer = ask_endpoint(&endpoint, Some(&caller), ProtocolVersion::LATEST, &call).await;
    assert!(answer.contains(r#"resource_metadata="https://example.com/%22x%5C%20%C3%A9%20?a=1""#), "{answer}");
}
