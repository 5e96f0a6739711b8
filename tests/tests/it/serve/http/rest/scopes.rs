//! Callers who lack a scope, with `with_scope_challenge` and without.

use http::{HeaderMap, Request, StatusCode};
use mcp_tool_runtime::{Dispatcher, http::PlainHttp, listing::HasScopes, mcp_tool, tools};
use serde_json::{Value, json};

use super::send;

#[derive(Clone)]
struct Claims(&'static [&'static str]);

impl HasScopes for Claims {
    fn has_scope(&self, scope: &str) -> bool {
        self.0.contains(&scope)
    }
}

/// Place an order.
#[mcp_tool(scopes("orders:read", "orders:write"))]
async fn place_order(count: u8) -> u8 {
    count
}

/// Close the month.
#[mcp_tool(scopes("orders:write"), tags("admin"))]
async fn close_month() {}

const METADATA: &str = "https://api.example/.well-known/oauth-protected-resource/tools";

fn rest() -> PlainHttp {
    let dispatcher = Dispatcher::builder()
        .tools(tools![place_order, close_month])
        .visible_by_scopes::<Claims>()
        .visible(|tool, _| !tool.tags().contains("admin"))
        .build();
    PlainHttp::new(dispatcher.expect("tools"))
}

async fn call(rest: PlainHttp, name: &str, scopes: &'static [&'static str]) -> (StatusCode, HeaderMap, Value) {
    let request = Request::post(format!("http://localhost/{name}")).header("content-type", "application/json");
    let request = request.extension(Claims(scopes)).body(r#"{"count": 2}"#.to_owned());
    send(rest, request.expect("a request")).await
}

async fn get(rest: PlainHttp, path: &str) -> Value {
    let request = Request::get(format!("http://localhost/{path}")).body(String::new());
    send(rest, request.expect("a request")).await.2
}

#[tokio::test]
async fn a_caller_learns_which_scopes_it_lacks() {
    let (status, headers, value) = call(rest().with_scope_challenge(METADATA), "place_order", &["orders:read"]).await;
    assert_eq!(status, 403);
    assert_eq!(
        headers["www-authenticate"],
        format!(
            r#"Bearer error="insufficient_scope", scope="orders:read orders:write", resource_metadata="{METADATA}""#
        )
    );
    assert_eq!(headers["content-type"], "application/problem+json");
    assert_eq!(value["detail"], "the token lacks scopes: tool `place_order` needs `orders:read orders:write`");
    let both = &["orders:read", "orders:write"];
    assert_eq!(call(rest().with_scope_challenge(METADATA), "place_order", both).await.0, 200);
    // Another rule hides this tool.
    for scopes in [&[][..], both] {
        let (status, headers, value) = call(rest().with_scope_challenge(METADATA), "close_month", scopes).await;
        assert_eq!((status.as_u16(), headers.get("www-authenticate")), (404, None));
        assert!(value["detail"].as_str().is_some_and(|text| text.starts_with("unknown tool")), "{value}");
    }
}

#[tokio::test]
async fn without_the_challenge_a_tool_stays_hidden() {
    let (status, headers, value) = call(rest(), "place_order", &["orders:read"]).await;
    assert_eq!((status.as_u16(), headers.get("www-authenticate")), (404, None));
    assert!(value["detail"].as_str().is_some_and(|text| text.starts_with("unknown tool")), "{value}");
    assert_eq!(get(rest(), "").await, json!({"tools": []}));
}

#[tokio::test]
async fn with_the_challenge_the_list_and_the_document_have_what_only_scopes_hide() {
    let list = get(rest().with_scope_challenge(METADATA), "").await;
    assert_eq!((list["tools"].as_array().map(Vec::len), &list["tools"][0]["name"]), (Some(1), &json!("place_order")));
    let document = get(rest().with_scope_challenge(METADATA), "openapi.json").await;
    let paths: Vec<_> = document["paths"].as_object().expect("paths").keys().collect();
    assert_eq!(paths, ["/place_order"]);
    assert!(get(rest(), "openapi.json").await["paths"].as_object().is_some_and(serde_json::Map::is_empty));
}
