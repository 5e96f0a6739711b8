//! The rules of HTTP: methods, headers, media types, and the status of every response.

use axum::body::Body;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use mcp_tool_runtime::ProtocolVersion;
use mcp_tool_runtime::http::Endpoint;
use serde_json::{Value, json};

use crate::mcp::messages::invalid_messages;
use crate::run::LEGACY;
use crate::wire::{
    self, Answer, MODERN, assert_sound, endpoint, exchange, headers, post, request, send, still_serves, sum,
};

/// Sends a message with the headers of a client of this version, after `change` to the headers.
pub(crate) async fn changed(
    endpoint: &Endpoint,
    version: ProtocolVersion,
    message: &Value,
    change: impl FnOnce(&mut HeaderMap),
) -> Answer {
    let mut headers = headers(version, message);
    change(&mut headers);
    send(endpoint, headers, message.to_string()).await
}

pub(crate) fn set(name: &'static str, value: &str) -> impl FnOnce(&mut HeaderMap) {
    let value = HeaderValue::from_str(value).expect("a header");
    move |headers| drop(headers.insert(name, value))
}

fn without(name: &'static str) -> impl FnOnce(&mut HeaderMap) {
    move |headers| drop(headers.remove(name))
}

#[tokio::test]
async fn every_method_of_every_version_is_answered_with_one_document() {
    let endpoint = endpoint();
    for version in ProtocolVersion::ALL {
        let own = if version == MODERN { ["server/discover", "tools/list"] } else { ["ping", "tools/list"] };
        for method in own {
            let answer = post(&endpoint, version, &request(version, method, json!({}))).await;
            assert_eq!(answer.status, 200, "{answer:?}");
            assert_sound(version, method, &answer.message());
            assert!(answer.headers.get("mcp-session-id").is_none());
        }
        let list = post(&endpoint, version, &request(version, "tools/list", json!({}))).await.message();
        let mut list = list["result"].clone();
        list.as_object_mut().expect("a list").remove("_meta");
        let expected: Value = serde_json::from_slice(wire::dispatcher().list_json(version)).expect("a list");
        assert_eq!(list, expected, "{version}");
    }
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn a_legacy_client_needs_no_session_and_any_replica_can_answer() {
    let params =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
    let hello = request(LEGACY[1], "initialize", params);
    let answer = changed(&endpoint(), LEGACY[1], &hello, without("mcp-protocol-version")).await;
    assert_eq!((answer.status, answer.headers.get("mcp-session-id")), (StatusCode::OK, None));
    assert_sound(LEGACY[1], "initialize", &answer.message());

    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = post(&endpoint(), LEGACY[1], &ready).await;
    assert_eq!((answer.status, answer.text.as_str()), (StatusCode::ACCEPTED, ""));
    // The session id of another server is ignored.
    let answer = changed(&endpoint(), LEGACY[1], &sum(LEGACY[1]), set("mcp-session-id", "abc")).await;
    assert_eq!(answer.message()["result"]["structuredContent"], json!({"result": 5}));
}

#[tokio::test]
async fn without_a_version_or_with_an_older_one_the_oldest_supported_version_is_used() {
    let endpoint = endpoint();
    let list = request(LEGACY[0], "tools/list", json!({}));
    let expected: Value = serde_json::from_slice(wire::dispatcher().list_json(LEGACY[0])).expect("a list");
    let answer = changed(&endpoint, LEGACY[0], &list, without("mcp-protocol-version")).await;
    assert_eq!(answer.message()["result"], expected);
    for version in ["2025-03-26", "2024-11-05", "2025-06-18"] {
        let answer = changed(&endpoint, LEGACY[0], &list, set("mcp-protocol-version", version)).await;
        assert_eq!(answer.message()["result"], expected, "{version}");
    }
}

#[tokio::test]
async fn the_versions_in_header_and_body_must_agree() {
    let endpoint = endpoint();
    let version = |header: &'static str| {
        let endpoint = endpoint.clone();
        async move { changed(&endpoint, MODERN, &sum(MODERN), set("mcp-protocol-version", header)).await }
    };
    for header in ["2025-11-25", "2026-07-27", "nonsense", ""] {
        let answer = version(header).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::BAD_REQUEST, -32020), "{header}");
        assert_eq!(answer.message()["id"], 7);
        assert_sound(MODERN, "tools/call", &answer.message());
    }
    let answer = changed(&endpoint, MODERN, &sum(MODERN), without("mcp-protocol-version")).await;
    assert_eq!((answer.status, answer.code()), (StatusCode::BAD_REQUEST, -32020));
    let text = "the header MCP-Protocol-Version is missing; it must be equal to the version in `_meta`";
    assert_eq!(answer.message()["error"]["message"], text);
    let twice = |headers: &mut HeaderMap| {
        headers.append("mcp-protocol-version", HeaderValue::from_static("2026-07-28"));
    };
    let answer = changed(&endpoint, MODERN, &sum(MODERN), twice).await;
    assert_eq!((answer.status, answer.code()), (StatusCode::BAD_REQUEST, -32020));
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn an_unknown_version_is_an_error_that_lists_the_supported_ones() {
    let endpoint = endpoint();
    let data = json!({"supported": ["2026-07-28", "2025-11-25", "2025-06-18"], "requested": "2099-01-01"});
    let mut message = sum(MODERN);
    message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2099-01-01".into();
    for message in [message, sum(LEGACY[0])] {
        let answer = changed(&endpoint, MODERN, &message, set("mcp-protocol-version", "2099-01-01")).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::BAD_REQUEST, -32022), "{message}");
        assert_eq!((&answer.message()["error"]["data"], &answer.message()["id"]), (&data, &json!(7)));
        assert_sound(MODERN, "tools/call", &answer.message());
    }
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn a_request_of_the_latest_version_without_meta_is_malformed() {
    let endpoint = endpoint();
    for method in ["tools/list", "server/discover", "initialize", "tools/call"] {
        let message = request(LEGACY[0], method, json!({"name": "add"}));
        let answer = post(&endpoint, MODERN, &message).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::BAD_REQUEST, -32602), "{method}");
    }
    let mut message = sum(MODERN);
    message["params"]["_meta"].as_object_mut().expect("metadata").remove("io.modelcontextprotocol/clientCapabilities");
    let answer = post(&endpoint, MODERN, &message).await;
    assert_eq!((answer.status, answer.code()), (StatusCode::BAD_REQUEST, -32602));
}

#[tokio::test]
async fn an_unknown_method_is_404_in_the_latest_version_and_200_before() {
    let endpoint = endpoint();
    for (version, status) in [(MODERN, 404), (LEGACY[0], 200), (LEGACY[1], 200)] {
        for method in ["resources/list", "nothing", "logging/setLevel", "subscriptions/listen"] {
            let answer = post(&endpoint, version, &request(version, method, json!({}))).await;
            assert_eq!((answer.status.as_u16(), answer.code()), (status, -32601), "{version} {method}");
            assert_eq!(answer.message()["id"], 7);
        }
    }
    for method in ["initialize", "ping"] {
        let answer = post(&endpoint, MODERN, &request(MODERN, method, json!({}))).await;
        assert_eq!((answer.status.as_u16(), answer.code()), (404, -32601), "{method}");
    }
}

#[tokio::test]
async fn r8_an_unknown_tool_is_a_protocol_error_and_a_failing_tool_an_error_result() {
    let endpoint = endpoint();
    for version in ProtocolVersion::ALL {
        let answer = post(&endpoint, version, &request(version, "tools/call", json!({"name": "none"}))).await;
        assert_eq!((answer.status.as_u16(), answer.code()), (200, -32602));
        let answer = post(&endpoint, version, &request(version, "tools/call", json!({"name": "explode"}))).await;
        assert_eq!((answer.status.as_u16(), &answer.message()["result"]["isError"]), (200, &json!(true)));
        assert_sound(version, "tools/call", &answer.message());
    }
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn a_body_that_is_no_request_is_400() {
    let endpoint = endpoint();
    for (message, code, has_id) in invalid_messages() {
        let shown = String::from_utf8_lossy(&message).chars().take(100).collect::<String>();
        let answer = send(&endpoint, headers(LEGACY[1], &json!({})), message).await;
        assert_eq!((answer.status.as_u16(), answer.code()), (400, code), "{shown}");
        assert_eq!(answer.message().get("id"), has_id.then_some(&json!(7)), "{shown}");
    }
    let answer = post(&endpoint, LEGACY[1], &json!({"jsonrpc": "2.0", "id": 1, "result": {}})).await;
    assert_eq!((answer.status.as_u16(), answer.code()), (400, -32600), "a response without a request");
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn a_notification_is_accepted_with_202_and_no_body() {
    let endpoint = endpoint();
    for version in ProtocolVersion::ALL {
        for method in ["notifications/cancelled", "notifications/initialized", "notifications/anything"] {
            let answer = post(&endpoint, version, &json!({"jsonrpc": "2.0", "method": method})).await;
            assert_eq!((answer.status.as_u16(), answer.text.as_str()), (202, ""), "{version} {method}");
        }
    }
    let message = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = changed(&endpoint, LEGACY[0], &message, set("mcp-protocol-version", "2099-01-01")).await;
    assert_eq!((answer.status.as_u16(), answer.message().get("id")), (400, None));
}

#[tokio::test]
async fn only_post_is_allowed() {
    let endpoint = endpoint();
    for method in [Method::GET, Method::DELETE, Method::PUT, Method::HEAD, Method::OPTIONS, Method::PATCH] {
        let request = Request::builder().method(method).uri("/mcp").header("accept", "text/event-stream");
        let answer = exchange(&endpoint, request.body(Body::empty()).expect("a request")).await;
        assert_eq!((answer.status.as_u16(), &answer.headers["allow"]), (405, &HeaderValue::from_static("POST")));
    }
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn the_content_type_must_be_json() {
    let endpoint = endpoint();
    for (media_type, status) in [
        ("application/json", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("application/jsonp", 415),
        ("", 415),
    ] {
        let answer = changed(&endpoint, MODERN, &sum(MODERN), set("content-type", media_type)).await;
        assert_eq!(answer.status.as_u16(), status, "{media_type}");
    }
    assert_eq!(changed(&endpoint, MODERN, &sum(MODERN), without("content-type")).await.status, 415);
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn the_accept_header_decides_the_media_type_of_the_response() {
    let endpoint = endpoint();
    for (accept, status, media_type) in [
        ("application/json, text/event-stream", 200, "application/json"),
        ("application/json", 200, "application/json"),
        ("*/*", 200, "application/json"),
        ("text/event-stream", 200, "text/event-stream"),
        ("text/event-stream, application/json;q=0", 200, "text/event-stream"),
        ("text/html", 406, "application/json"),
        ("application/json;q=0.0", 406, "application/json"),
    ] {
        let answer = changed(&endpoint, MODERN, &sum(MODERN), set("accept", accept)).await;
        assert_eq!((answer.status.as_u16(), &answer.headers["content-type"]), (status, &media_type.parse().unwrap()));
        if media_type == "text/event-stream" {
            assert_eq!(answer.events()[0]["result"]["structuredContent"], 5);
        }
    }
    assert_eq!(changed(&endpoint, MODERN, &sum(MODERN), without("accept")).await.status, 200);
}
