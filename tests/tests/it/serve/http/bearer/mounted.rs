//! The layer around the services of this crate and of the SDK, in a router of axum.

use axum::Router;
use axum::routing::{get_service, post_service};
use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ALLOW, AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use mcp_tool_runtime::http::{Bearer, Claims, Endpoint, Page, PlainHttp};
use mcp_tool_runtime::{CallToolRequest, Consent, DispatchError, Dispatcher, mcp_tool, tools};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::keys::{key_set, token};
use super::{ISSUER, METADATA, RESOURCE, builder, send};

/// Get the name of the user.
#[mcp_tool(scopes("notes:read"))]
async fn who_am_i(#[mcp_tool(extension)] claims: &Claims, #[mcp_tool(extension)] headers: &http::HeaderMap) -> String {
    assert!(!headers.contains_key(AUTHORIZATION), "a tool never sees the token");
    claims.subject().to_owned()
}

/// Write a note.
#[mcp_tool(scopes("notes:read", "notes:write"))]
async fn write_note() {}

fn dispatcher() -> Dispatcher {
    let tools = tools![who_am_i, write_note];
    Dispatcher::builder().tools(tools).visible_by_scopes::<Claims>().build().expect("valid tools")
}

const WAYS: [&str; 4] = ["/mcp", "/sdk", "/tools", "/try"];

fn router() -> Router {
    let host = ["mcp.example.com"];
    let endpoint = Endpoint::new(dispatcher()).with_allowed_hosts(host).with_scope_challenge(METADATA);
    let server = mcp_tool_runtime::rmcp::Server::new(dispatcher());
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(host)
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let sdk = StreamableHttpService::new(move || Ok(server.clone()), LocalSessionManager::default().into(), config);
    let page = Page::new(dispatcher()).with_allowed_hosts(host);
    let document = page.document();
    let bearer = WAYS.iter().fold(Bearer::jwt(key_set()).issuer(ISSUER), |bearer, way| {
        bearer.resource(format!("https://mcp.example.com{way}"))
    });
    Router::new()
        .route_service("/mcp", endpoint)
        .nest_service("/sdk", sdk)
        .nest_service("/tools", PlainHttp::new(dispatcher()).with_allowed_hosts(host))
        .route("/try", post_service(page))
        .layer(bearer.build().expect("valid settings"))
        .route("/try", get_service(document))
}

struct Got {
    status: StatusCode,
    challenge: String,
    body: String,
}

async fn ask(method: Method, path: &str, token: Option<&str>, body: &Value) -> Got {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("host", "mcp.example.com")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-11-25");
    let request = token.iter().fold(request, |request, token| request.header(AUTHORIZATION, format!("Bearer {token}")));
    let request = request.body(axum::body::Body::from(body.to_string())).expect("a request");
    let response = router().oneshot(request).await.expect("infallible");
    let status = response.status();
    let challenge =
        response.headers().get(WWW_AUTHENTICATE).map_or("", |value| value.to_str().expect("ASCII")).to_owned();
    let body = response.into_body().collect().await.expect("a body").to_bytes();
    Got { status, challenge, body: String::from_utf8(body.to_vec()).expect("text") }
}

fn for_way(way: &str, scope: &str) -> String {
    token(&json!({}), &json!({ "aud": format!("https://mcp.example.com{way}"), "scope": scope }))
}

/// The path and the body of a call.
fn call(way: &str, name: &str) -> (String, Value) {
    let params = json!({ "name": name, "arguments": {} });
    match way {
        "/tools" => (format!("/tools/{name}"), json!({})),
        "/try" => ("/try?call".to_owned(), params),
        way => (way.to_owned(), json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })),
    }
}

#[tokio::test]
async fn every_service_gets_the_claims_and_none_the_token() {
    for way in WAYS {
        let (path, body) = call(way, "who_am_i");
        let got = ask(Method::POST, &path, Some(&for_way(way, "notes:read")), &body).await;
        assert!(got.status == StatusCode::OK && got.body.contains("ann"), "{way}: {} {}", got.status, got.body);
        for other in WAYS.into_iter().filter(|other| *other != way) {
            let got = ask(Method::POST, &path, Some(&for_way(other, "notes:read")), &body).await;
            assert_eq!(got.status, StatusCode::UNAUTHORIZED, "a token for {other} at {way}");
            let metadata = format!("https://mcp.example.com/.well-known/oauth-protected-resource{way}\"");
            assert!(got.challenge.ends_with(&metadata) && got.body.is_empty(), "{}", got.challenge);
        }
    }
}

#[tokio::test]
async fn the_document_behind_the_layer_offers_no_call_without_a_token() {
    let got = ask(Method::GET, "/tools/openapi.json", Some(&for_way("/tools", "")), &json!({})).await;
    let document: Value = serde_json::from_str(&got.body).expect("a document");
    assert_eq!(document["security"], json!([{"bearer": []}]));
    assert_eq!(document["components"]["securitySchemes"]["bearer"]["scheme"], "bearer");
    let got = ask(Method::GET, "/tools/openapi.json", Some(&for_way("/tools", "notes:read")), &json!({})).await;
    let document: Value = serde_json::from_str(&got.body).expect("a document");
    assert_eq!(document["paths"]["/who_am_i"]["post"]["security"], json!([{"bearer": ["notes:read"]}]));
    assert!(document["paths"]["/who_am_i"]["post"]["responses"].get("401").is_some());
}

#[tokio::test]
async fn missing_scopes_are_a_challenge_or_an_unknown_tool() {
    for way in WAYS {
        let (path, body) = call(way, "write_note");
        let got = ask(Method::POST, &path, Some(&for_way(way, "notes:read")), &body).await;
        if way == "/mcp" {
            let expected = format!(
                r#"Bearer error="insufficient_scope", scope="notes:read notes:write", resource_metadata="{METADATA}""#
            );
            assert_eq!((got.status, got.challenge), (StatusCode::FORBIDDEN, expected));
        } else {
            assert!(got.body.contains("unknown tool"), "{way}: {}", got.body);
        }
        let both = ask(Method::POST, &path, Some(&for_way(way, "notes:read notes:write")), &body).await;
        assert!(both.status == StatusCode::OK && !both.body.contains("unknown tool"), "{way}: {}", both.body);
    }
}

#[tokio::test]
async fn paths_of_no_resource_are_not_found_and_the_document_of_the_page_is_public() {
    let token = for_way("/mcp", "notes:read");
    for path in ["/", "/mcp2", "/other", "/.well-known/oauth-protected-resource", "/Mcp", "//mcp", "/%6dcp"] {
        for token in [None, Some(&*token)] {
            let got = ask(Method::POST, path, token, &json!({})).await;
            assert_eq!((got.status, got.body.as_str()), (StatusCode::NOT_FOUND, ""), "{path}");
        }
    }
    // Below the path of one resource, the token of another does not count, whatever a router makes of the path.
    for path in ["/sdk/../mcp", "/sdk/%2e%2e/mcp", "/sdk//mcp", "/sdk/mcp"] {
        assert_eq!(ask(Method::POST, path, Some(&token), &json!({})).await.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    let document = ask(Method::GET, "/try", None, &json!({})).await;
    assert!(document.status == StatusCode::OK && document.body.contains("<html"), "{}", document.status);
    assert_eq!(ask(Method::POST, "/try?tools", None, &json!({})).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(ask(Method::GET, "/mcp", None, &json!({})).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn each_resource_has_its_metadata() {
    for way in WAYS {
        let path = format!("/.well-known/oauth-protected-resource{way}");
        let got = ask(Method::GET, &path, None, &json!({})).await;
        let document: Value = serde_json::from_str(&got.body).expect("JSON");
        let expected = json!({
            "resource": format!("https://mcp.example.com{way}"),
            "authorization_servers": [ISSUER],
            "bearer_methods_supported": ["header"],
        });
        assert_eq!((got.status, document), (StatusCode::OK, expected));
    }
}

#[tokio::test]
async fn metadata_is_at_the_path_of_rfc_9728() {
    let of = async |bearer: &Bearer, method: &str, path: &str| {
        let request = Request::builder().method(method).uri(path).header(AUTHORIZATION, "Bearer nonsense");
        send(bearer, request.body(String::new()).expect("a request")).await
    };
    for (resource, path) in [
        ("https://mcp.example.com", "/.well-known/oauth-protected-resource"),
        ("https://mcp.example.com/", "/.well-known/oauth-protected-resource"),
        ("https://mcp.example.com:8443/a/mcp", "/.well-known/oauth-protected-resource/a/mcp"),
        ("http://localhost:8080/mcp/", "/.well-known/oauth-protected-resource/mcp/"),
    ] {
        let bearer = Bearer::jwt(key_set()).issuer(ISSUER).resource(resource).scopes(["a", "b"]).build();
        let bearer = bearer.expect("valid settings");
        let answer = of(&bearer, "GET", path).await;
        let document: Value = serde_json::from_str(&answer.body).expect("JSON");
        assert_eq!((&document["resource"], &document["scopes_supported"]), (&json!(resource), &json!(["a", "b"])));
        assert_eq!(answer.headers[CONTENT_TYPE], "application/json");
        assert_eq!(answer.headers[ACCESS_CONTROL_ALLOW_ORIGIN], "*");
        assert_eq!(of(&bearer, "HEAD", path).await.status, StatusCode::OK);
        let answer = of(&bearer, "POST", path).await;
        assert_eq!(
            (answer.status, &answer.headers[ALLOW]),
            (StatusCode::METHOD_NOT_ALLOWED, &"GET, HEAD".parse().unwrap())
        );
        assert_ne!(of(&bearer, "GET", &format!("{path}/x")).await.status, StatusCode::OK);
        let origin = resource.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
        assert_eq!(Bearer::metadata_url(resource).expect("a URL"), format!("{origin}{path}"));
    }
    // Behind a proxy that rewrites paths.
    let bearer = builder().resource_at("/inner", "https://mcp.example.com/outer/mcp").build().expect("valid settings");
    let answer = of(&bearer, "GET", "/.well-known/oauth-protected-resource/outer/mcp").await;
    assert!(answer.body.contains("https://mcp.example.com/outer/mcp"), "{answer:?}");
    let answer = of(&bearer, "POST", "/inner").await;
    assert!(answer.challenge.contains("oauth-protected-resource/outer/mcp\""), "{answer:?}");
    assert_eq!(of(&bearer, "POST", "/outer/mcp").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_root_resource_covers_every_path() {
    let bearer = Bearer::jwt(key_set()).issuer(ISSUER).resource("https://mcp.example.com").build().expect("settings");
    for audience in ["https://mcp.example.com", "https://mcp.example.com/"] {
        let token = token(&json!({}), &json!({ "aud": audience }));
        for path in ["/", "/mcp", "/a/b"] {
            let answer = super::send_with(&bearer, path, &[&format!("Bearer {token}")]).await;
            assert_eq!(answer.body, super::ACCEPTED, "{audience} {path}");
        }
    }
    let answer = super::send_with(&bearer, "/mcp", &[&format!("Bearer {}", super::valid())]).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{RESOURCE} is another audience");
}

/// Erase a note.
#[mcp_tool]
async fn erase(id: u32, #[mcp_tool(ask = "Erase?")] _sure: Consent) -> u32 {
    id
}

#[tokio::test]
async fn the_state_of_a_question_is_of_the_caller_and_not_of_the_token() {
    let dispatcher = Dispatcher::builder().tools(tools![erase]).state_keys("notes", [[7; 32]]).build().expect("a tool");
    let request = |claims: &Claims| {
        let meta = json!({ "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} } });
        let meta = meta.as_object().expect("an object").clone();
        CallToolRequest::new("erase", json!({ "id": 7 })).with_meta(meta).with_extension(claims.clone())
    };
    let claims = |sub: &str, iss: &str, scope: &str| {
        Claims::from_json(json!({ "sub": sub, "iss": iss, "scope": scope })).expect("claims")
    };
    let ann = claims("ann", ISSUER, "a");
    let response = dispatcher.call(request(&ann)).await.expect("a response");
    let state = response.input_required().expect("a question").state().to_owned();
    let again = async |claims: &Claims| {
        let yes = json!({ "sure": { "action": "accept", "content": { "confirm": true } } });
        dispatcher.call(request(claims).with_request_state(state.clone()).with_input_responses(yes)).await
    };
    for other in [
        claims("bob", ISSUER, "a"),
        claims("ann", "https://evil.example.com", "a"),
        claims("nn", &format!("{ISSUER}a"), "a"),
    ] {
        assert_eq!(again(&other).await.err(), Some(DispatchError::InvalidState));
    }
    // A new token of the same caller.
    assert!(again(&claims("ann", ISSUER, "b")).await.expect("a response").is_success());
}
