//! Who may call a tool through the page, and through `http::PlainHttp`: the page itself and programs, but no other web page.

use http::{Method, Request, StatusCode};
use mcp_tool_runtime::http::PlainHttp;
use mcp_tool_runtime::{Dispatcher, tools};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tower::ServiceExt as _;

use super::{Calls, Setup, add, send, setup};

const CALL: &str = r#"{"name": "add", "arguments": {"a": 1, "b": 2}}"#;
const JSON: (&str, &str) = ("content-type", "application/json");

/// What a browser sends for another page, and the status that it gets from the page and from `PlainHttp`.
const FOREIGN: [(&[(&str, &str)], StatusCode); 7] = [
    (&[JSON, ("host", "evil.example")], StatusCode::FORBIDDEN),
    (&[JSON, ("host", "localhost"), ("origin", "https://evil.example")], StatusCode::FORBIDDEN),
    (&[JSON, ("host", "localhost"), ("origin", "null")], StatusCode::FORBIDDEN),
    // The three types of a form. A browser sends them to another origin without asking first.
    (&[("content-type", "text/plain"), ("host", "localhost")], StatusCode::UNSUPPORTED_MEDIA_TYPE),
    (
        &[("content-type", "application/x-www-form-urlencoded"), ("host", "localhost")],
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
    ),
    (&[("content-type", "multipart/form-data; boundary=x"), ("host", "localhost")], StatusCode::UNSUPPORTED_MEDIA_TYPE),
    (&[("host", "localhost")], StatusCode::UNSUPPORTED_MEDIA_TYPE),
];

#[tokio::test]
async fn another_site_cannot_call_a_tool_through_the_page() {
    let Setup { page, calls, .. } = setup();
    for (headers, status) in FOREIGN {
        assert_eq!(send(&page, Method::POST, "/?call", headers, CALL).await.status(), status, "{headers:?}");
    }
    for site in ["cross-site", "same-site", "?"] {
        let headers = [JSON, ("host", "localhost"), ("sec-fetch-site", site)];
        assert_eq!(send(&page, Method::POST, "/?call", &headers, CALL).await.status(), StatusCode::FORBIDDEN, "{site}");
        assert_eq!(send(&page, Method::POST, "/?tools", &headers, "").await.status(), StatusCode::FORBIDDEN, "{site}");
    }
    // No method but POST calls, and a preflight request gets no permission.
    for method in [Method::PUT, Method::OPTIONS, Method::DELETE] {
        let response = send(&page, method, "/?call", &[JSON], CALL).await;
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert!(response.headers().keys().all(|name| !name.as_str().starts_with("access-control")));
    }
    assert_eq!(
        send(&page, Method::GET, "/?call", &[], CALL).await.headers()["content-type"],
        "text/html; charset=utf-8"
    );
    assert_eq!(calls.0.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn another_site_cannot_call_a_tool_through_rest() {
    let calls = Arc::new(Calls::default());
    let dispatcher = Dispatcher::builder().tools(tools![add]).state(Arc::clone(&calls)).build().expect("a tool");
    let rest = PlainHttp::new(dispatcher);
    for (headers, status) in FOREIGN {
        let mut request = Request::post("/add");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(r#"{"a": 1, "b": 2}"#.to_owned()).expect("a request");
        assert_eq!(rest.clone().oneshot(request).await.expect("a response").status(), status, "{headers:?}");
    }
    assert_eq!(calls.0.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn the_page_calls_from_its_own_origin_without_a_setting_for_it() {
    let page = setup().page;
    let page = page.with_allowed_hosts(["tools.example.com"]);
    let own = [
        JSON,
        ("host", "tools.example.com"),
        ("origin", "https://tools.example.com"),
        ("sec-fetch-site", "same-origin"),
    ];
    assert_eq!(send(&page, Method::POST, "/?call", &own, CALL).await.status(), StatusCode::OK);
    let program = [JSON, ("host", "tools.example.com")];
    assert_eq!(send(&page, Method::POST, "/?call", &program, CALL).await.status(), StatusCode::OK);
    let other = [JSON, ("host", "tools.example.com"), ("origin", "https://example.com")];
    assert_eq!(send(&page, Method::POST, "/?call", &other, CALL).await.status(), StatusCode::FORBIDDEN);
    let loopback = [JSON, ("host", "localhost")];
    assert_eq!(send(&page, Method::POST, "/?call", &loopback, CALL).await.status(), StatusCode::FORBIDDEN);
    // Behind a proxy that replaces `Host`.
    let page = page.with_allowed_origins(["https://public.example.com"]);
    let proxied = [JSON, ("host", "tools.example.com"), ("origin", "https://public.example.com")];
    assert_eq!(send(&page, Method::POST, "/?call", &proxied, CALL).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_body_that_is_no_call_or_too_large_is_refused() {
    let page = setup().page;
    for (body, status) in [
        ("", StatusCode::BAD_REQUEST),
        ("[]", StatusCode::BAD_REQUEST),
        ("{}", StatusCode::BAD_REQUEST),
        (&format!(r#"{{"name": "{}"}}"#, "x".repeat(1_000)), StatusCode::PAYLOAD_TOO_LARGE),
    ] {
        let response = send(&page, Method::POST, "/?call", &[JSON], body).await;
        assert_eq!(
            (response.status(), response.headers()["content-type"].as_bytes()),
            (status, b"application/problem+json".as_slice())
        );
    }
}
