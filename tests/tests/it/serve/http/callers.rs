//! HTTP: allowed hosts and origins, the size limit of a body, and the parts of a request that a tool can read.

use axum::body::Body;
use http::{HeaderMap, HeaderValue, Request};
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::{Dispatcher, mcp_tool, tools};
use serde_json::json;
use tracing_subscriber::layer::SubscriberExt as _;

use crate::run::{self, LEGACY, built, exact};
use crate::serve::http::endpoint::{changed, set};
use crate::wire::{self, MODERN, endpoint, exchange, headers, request, send, still_serves, sum};

#[tokio::test]
async fn a_foreign_host_or_origin_is_refused() {
    let endpoint = endpoint();
    for (host, status) in [
        ("localhost", 200),
        ("LocalHost:1", 200),
        ("127.0.0.1:65535", 200),
        ("[::1]:8080", 200),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("localhost:", 403),
        ("localhost:80:80", 403),
        ("127.0.0.1.evil.example:80", 403),
        ("127.0.0.2", 403),
        ("", 403),
    ] {
        let answer = changed(&endpoint, MODERN, &sum(MODERN), set("host", host)).await;
        assert_eq!(answer.status.as_u16(), status, "{host}");
    }
    for (origin, status) in [
        ("http://localhost:3000", 200),
        ("https://127.0.0.1", 200),
        ("http://[::1]:5173", 200),
        ("http://evil.example", 403),
        ("http://localhost.evil.example", 403),
        ("http://localhost@evil.example", 403),
        ("file://localhost", 403),
        ("null", 403),
        ("", 403),
    ] {
        let answer = changed(&endpoint, MODERN, &sum(MODERN), set("origin", origin)).await;
        assert_eq!(answer.status.as_u16(), status, "{origin}");
        if status == 403 {
            assert_eq!(answer.message().get("id"), None);
        }
    }
    let twice = |headers: &mut HeaderMap| {
        headers.append("host", HeaderValue::from_static("localhost"));
    };
    assert_eq!(changed(&endpoint, MODERN, &sum(MODERN), twice).await.status, 403);
    let odd = |headers: &mut HeaderMap| drop(headers.insert("host", HeaderValue::from_bytes(b"\xff").unwrap()));
    assert_eq!(changed(&endpoint, MODERN, &sum(MODERN), odd).await.status, 403);
    // The origin is checked first, so a foreign page learns nothing else.
    let get = Request::get("/mcp").header("host", "evil.example").body(Body::empty()).expect("a request");
    assert_eq!(exchange(&endpoint, get).await.status, 403);
    still_serves(&endpoint).await;
}

#[tokio::test]
async fn a_refused_host_or_origin_is_logged_once_with_what_allows_it() {
    crate::subscribers::keep_two();
    let lines = crate::subscribers::Lines::default();
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(lines.clone()));
    let endpoint = endpoint();
    for _ in 0..3 {
        changed(&endpoint, MODERN, &sum(MODERN), set("host", "mcp.example.com")).await;
        changed(&endpoint.clone(), MODERN, &sum(MODERN), set("origin", "https://app.example.com")).await;
    }
    let found = std::mem::take(&mut *lines.0.lock().expect("no panic"));
    let refused = |what: &str, method: &str| {
        format!("WARN message=a request was refused with status 403: the {what} is not allowed; `{method}` allows it ")
    };
    let host = refused("host `mcp.example.com`", "with_allowed_hosts");
    assert_eq!(found, [host, refused("origin `https://app.example.com`", "with_allowed_origins")]);
    for number in 0..100 {
        changed(&endpoint, MODERN, &sum(MODERN), set("host", &format!("{number}.example.com"))).await;
    }
    assert_eq!(lines.0.lock().expect("no panic").len(), 14, "a client cannot fill the log");
}

#[tokio::test]
async fn the_host_of_an_http_2_request_is_taken_from_its_target() {
    let endpoint = endpoint();
    for (target, status) in [("http://localhost:8080/mcp", 200), ("https://evil.example/mcp", 403)] {
        let mut request = Request::post(target).body(Body::from(sum(MODERN).to_string())).expect("a request");
        *request.headers_mut() = headers(MODERN, &sum(MODERN));
        request.headers_mut().remove("host");
        assert_eq!(exchange(&endpoint, request).await.status.as_u16(), status, "{target}");
        // The target is checked even if there is a `Host` header.
        let mut request = Request::post(target).body(Body::from(sum(MODERN).to_string())).expect("a request");
        *request.headers_mut() = headers(MODERN, &sum(MODERN));
        request.headers_mut().insert("host", "localhost".parse().expect("a host"));
        assert_eq!(exchange(&endpoint, request).await.status.as_u16(), status, "{target}");
    }
}

#[tokio::test]
async fn allowed_hosts_and_origins_are_configurable() {
    let endpoint = endpoint()
        .with_allowed_hosts(["MCP.example.com", "other.example:8443"])
        .with_allowed_origins(["https://app.example.com/"]);
    for (host, status) in [
        ("mcp.example.com", 200),
        ("mcp.example.com:443", 200),
        ("other.example:8443", 200),
        ("other.example", 403),
        ("localhost", 403),
    ] {
        let answer = changed(&endpoint, MODERN, &sum(MODERN), set("host", host)).await;
        assert_eq!(answer.status.as_u16(), status, "{host}");
    }
    for (origin, status) in
        [("https://APP.example.com", 200), ("http://app.example.com", 403), ("http://localhost", 403)]
    {
        let change = |headers: &mut HeaderMap| {
            headers.insert("host", HeaderValue::from_static("mcp.example.com"));
            headers.insert("origin", HeaderValue::from_str(origin).expect("a header"));
        };
        assert_eq!(changed(&endpoint, MODERN, &sum(MODERN), change).await.status.as_u16(), status, "{origin}");
    }
    let any = endpoint.with_any_host();
    assert_eq!(changed(&any, MODERN, &sum(MODERN), set("host", "who.knows")).await.status, 200);
}

#[tokio::test]
async fn a_body_over_the_limit_is_413_with_and_without_a_content_length() {
    let endpoint = Endpoint::new(wire::dispatcher()).with_max_body_bytes(600);
    let long = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": "x".repeat(600)}}).to_string();
    let answer = send(&endpoint, headers(LEGACY[0], &json!({})), long.clone()).await;
    assert_eq!((answer.status.as_u16(), answer.code()), (413, -32600));
    let body = Body::new(http_body_util::StreamBody::new(Chunks(long.into_bytes())));
    let answer = send(&endpoint, headers(LEGACY[0], &json!({})), body).await;
    assert_eq!((answer.status.as_u16(), answer.code()), (413, -32600));

    let message = sum(MODERN).to_string();
    let exact = Endpoint::new(wire::dispatcher()).with_max_body_bytes(message.len());
    let body = Body::new(http_body_util::StreamBody::new(Chunks(message.clone().into_bytes())));
    assert_eq!(send(&exact, headers(MODERN, &sum(MODERN)), body).await.status, 200);
    still_serves(&endpoint).await;
}

/// A body of one byte at a time.
struct Chunks(Vec<u8>);

impl futures_core::Stream for Chunks {
    type Item = Result<http_body::Frame<axum::body::Bytes>, std::io::Error>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        let byte = (!self.0.is_empty()).then(|| self.0.remove(0));
        std::task::Poll::Ready(byte.map(|byte| Ok(http_body::Frame::data(vec![byte].into()))))
    }
}

#[tokio::test]
async fn the_body_limit_follows_the_limit_of_the_arguments() {
    let dispatcher = |bytes| built(exact().tools(tools![wire::add]).max_argument_bytes(bytes));
    let message = sum(MODERN).to_string();
    assert_eq!(send(&Endpoint::new(dispatcher(10)), headers(MODERN, &sum(MODERN)), message).await.status, 413);
    still_serves(&Endpoint::new(dispatcher(100))).await;
}

#[derive(Clone)]
struct User(&'static str);

/// Say who asks, and with what.
#[mcp_tool]
async fn who(
    #[mcp_tool(extension)] user: Option<&User>,
    #[mcp_tool(extension)] parts: &http::request::Parts,
    #[mcp_tool(extension)] headers: &HeaderMap,
) -> String {
    let agent = headers.get("user-agent").and_then(|agent| agent.to_str().ok());
    format!("{:?} {} {} {agent:?}", user.map(|user| user.0), parts.method, parts.uri)
}

#[tokio::test]
async fn a_tool_gets_the_request_and_its_extensions() {
    let passes_on =
        mcp_tool_runtime::middleware::from_fn(|request, cx, next| Box::pin(async move { next.run(request, cx).await }));
    for dispatcher in [run::serve(tools![who]), built(exact().tools(tools![who]).middleware(passes_on))] {
        let endpoint = Endpoint::new(dispatcher);
        let message = request(MODERN, "tools/call", json!({"name": "who"}));
        for user in [None, Some(User("ann"))] {
            let mut request = Request::post("/mcp?a=1").body(Body::from(message.to_string())).expect("a request");
            *request.headers_mut() = headers(MODERN, &message);
            request.headers_mut().insert("user-agent", HeaderValue::from_static("tests"));
            let expected = format!("{:?} POST /mcp?a=1 {:?}", user.as_ref().map(|user| user.0), Some("tests"));
            user.map(|user| request.extensions_mut().insert(user));
            let answer = exchange(&endpoint, request).await;
            assert_eq!(answer.message()["result"]["structuredContent"], expected.as_str());
        }
    }
    let nothing: Dispatcher = run::serve(tools![who]);
    let answer = run::now(nothing.call_json(br#"{"name": "who"}"#, MODERN));
    assert!(answer.is_err_and(|error| error.code() == -32603), "without HTTP there are no parts");
}
