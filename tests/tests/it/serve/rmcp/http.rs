//! Streamable HTTP of the official SDK, with and without sessions.

use std::sync::Arc;

use ::http::{Request, Response, StatusCode, request::Builder};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use mcp_tool_runtime::{Dispatcher, rmcp::Server, tools};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use serde_json::{Value, json};

use super::{are_hanging, call, initialize, modern, request, server, sum};
use crate::operations::Records;
use crate::run::built;
use crate::wait::within_a_minute;

type Service = StreamableHttpService<Server, LocalSessionManager>;
type Reply = Response<BoxBody<Bytes, std::convert::Infallible>>;

fn config() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default().with_allowed_origins(["http://localhost:*"])
}

fn service(config: StreamableHttpServerConfig) -> (Service, super::Hanging) {
    let (server, hanging) = server();
    (StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config), hanging)
}

/// Returns a request builder with the headers of every request.
fn post() -> Builder {
    Request::post("/")
        .header("host", "localhost:8000")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
}

/// Returns a request builder with the headers of 2026-07-28.
fn modern_post(message: &Value) -> Builder {
    let mut post = post().header("mcp-protocol-version", "2026-07-28");
    if let Some(method) = message["method"].as_str() {
        post = post.header("mcp-method", method);
    }
    match message["params"]["name"].as_str() {
        Some(name) => post.header("mcp-name", name),
        None => post,
    }
}

async fn sent(service: &Service, request: Builder, body: impl Into<Bytes>) -> Reply {
    within_a_minute(service.handle(request.body(Full::new(body.into())).expect("a request"))).await
}

/// Returns the last message of a JSON response or an event stream.
async fn message(reply: Reply) -> Value {
    let bytes = within_a_minute(reply.into_body().collect()).await.expect("a body").to_bytes();
    let text = std::str::from_utf8(&bytes).expect("text");
    let mut events =
        text.lines().filter_map(|line| line.strip_prefix("data:").map(str::trim)).filter(|data| !data.is_empty());
    let last = events.next_back().unwrap_or(text);
    serde_json::from_str(last).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

async fn asked(service: &Service, ask: Value) -> Value {
    message(sent(service, modern_post(&ask), ask.to_string()).await).await
}

#[tokio::test]
async fn a_session_serves_the_versions_with_a_handshake() {
    let (service, _) = service(config());
    for version in ["2025-06-18", "2025-11-25"] {
        let reply = sent(&service, post(), initialize(version).to_string()).await;
        let session = reply.headers()["mcp-session-id"].clone();
        assert_eq!(message(reply).await["result"]["protocolVersion"], version);
        let post = || post().header("mcp-session-id", &session).header("mcp-protocol-version", version);
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(sent(&service, post(), initialized.to_string()).await.status(), StatusCode::ACCEPTED);
        let reply = message(sent(&service, post(), sum(1).to_string()).await).await;
        assert_eq!(reply["result"]["structuredContent"], json!({"result": 5}));
        let ask = call(2, "attached", json!({}));
        let reply = message(sent(&service, post().header("user-agent", "test/1"), ask.to_string()).await).await;
        assert_eq!(reply["result"]["structuredContent"]["result"][2], "test/1", "{reply}");
    }
}

#[tokio::test]
async fn a_server_without_sessions_serves_them_too() {
    let (service, _) = service(config().with_legacy_session_mode(false).with_json_response(true));
    let reply = sent(&service, post(), initialize("2025-06-18").to_string()).await;
    assert!(reply.headers().get("mcp-session-id").is_none());
    assert_eq!(message(reply).await["result"]["protocolVersion"], "2025-06-18");
    let reply = sent(&service, post().header("mcp-protocol-version", "2025-06-18"), sum(1).to_string()).await;
    assert_eq!(message(reply).await["result"]["structuredContent"], json!({"result": 5}));
}

#[tokio::test]
async fn the_stateless_version_needs_no_session() {
    let (service, _) = service(config());
    assert_eq!(asked(&service, modern(sum(1))).await["result"]["structuredContent"], 5);
    let mut ask = modern(call(2, "attached", json!({})));
    ask["params"]["_meta"]["com.example/note"] = json!("here");
    let reply = message(sent(&service, modern_post(&ask).header("user-agent", "test/2"), ask.to_string()).await).await;
    assert_eq!(reply["result"]["structuredContent"], json!([true, true, "test/2", "here", "2026-07-28"]));
    let list = asked(&service, modern(request(3, "tools/list", json!({})))).await;
    assert_eq!(list["result"]["cacheScope"], "private");
}

#[tokio::test]
async fn request_extensions_reach_the_call() {
    let (service, _) = service(config());
    let ask = modern(call(1, "who", json!({})));
    let named = modern_post(&ask).extension(super::User("ann"));
    assert_eq!(message(sent(&service, named, ask.to_string()).await).await["result"]["structuredContent"], "ann");
    let reply = message(sent(&service, modern_post(&ask), ask.to_string()).await).await;
    assert_eq!(reply["error"]["code"], -32603, "{reply}");
}

#[tokio::test]
async fn section_6_progress_is_streamed() {
    let (service, _) = service(config());
    let mut ask = modern(call(1, "report", json!({"steps": [1.0, 2.0]})));
    ask["params"]["_meta"]["progressToken"] = json!("p");
    let reply = sent(&service, modern_post(&ask), ask.to_string()).await;
    assert_eq!(reply.headers()["content-type"], "text/event-stream");
    let bytes = within_a_minute(reply.into_body().collect()).await.expect("a body").to_bytes();
    let text = String::from_utf8_lossy(&bytes);
    let events: Vec<Value> =
        text.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data:")?).ok()).collect();
    let done: Vec<_> = events.iter().map(|event| &event["params"]["progress"]).collect();
    assert_eq!(done, [&json!(1.0), &json!(2.0), &Value::Null], "{text}");
    assert_eq!(events[2]["id"], 1);
}

#[tokio::test]
async fn section_6_closing_the_stream_drops_the_call() {
    let (service, mut hanging) = service(config());
    let ask = modern(call(1, "hang", json!({})));
    let post = modern_post(&ask).body(Full::new(Bytes::from(ask.to_string()))).expect("a request");
    let asking = tokio::spawn({
        let service = service.clone();
        async move { service.handle(post).await }
    });
    are_hanging(&mut hanging, 1).await;
    asking.abort();
    are_hanging(&mut hanging, 0).await;
    assert_eq!(asked(&service, modern(sum(2))).await["result"]["structuredContent"], 5);
}

#[tokio::test]
async fn t14_a_header_that_contradicts_its_argument_is_refused() {
    let (service, _) = service(config());
    let ask = modern(call(1, "in_region", json!({"region": "eu"})));
    for (header, accepted) in [(Some("eu"), true), (Some("=?base64?ZXU=?="), true), (Some("us"), false), (None, false)]
    {
        let mut post = modern_post(&ask);
        if let Some(header) = header {
            post = post.header("mcp-param-region", header);
        }
        let reply = sent(&service, post, ask.to_string()).await;
        let status = reply.status();
        let reply = message(reply).await;
        if accepted {
            assert_eq!(reply["result"]["structuredContent"], "eu", "{header:?}");
        } else {
            assert_eq!((status, &reply["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32020)), "{header:?}");
        }
    }
}

#[tokio::test]
async fn r8_arguments_of_the_wrong_kind_are_an_error_result() {
    let (service, _) = service(config());
    let reply = asked(&service, modern(call(1, "add", json!([1])))).await;
    assert_eq!(reply["result"]["isError"], true, "{reply}");
}

#[tokio::test]
async fn invalid_requests_do_not_stop_the_server() {
    let (service, _) = service(config().with_max_request_body_bytes(10_000));
    let ask = modern(sum(1));
    let good = || modern_post(&ask);
    let text = ask.to_string();
    let long = modern(call(1, "add", json!({"a": "x".repeat(20_000)}))).to_string();
    let mut unknown = ask.clone();
    unknown["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let replaced = |name: &str, value: &str| {
        let mut post = good();
        let headers = post.headers_mut().expect("headers");
        headers.insert(::http::HeaderName::try_from(name).expect("a name"), value.parse().expect("a value"));
        post
    };
    let refused = [
        ("nonsense", good(), "{\"jsonrpc\":".to_owned(), 415),
        ("a batch", good(), format!("[{text}]"), 415),
        ("another type", replaced("content-type", "text/plain"), text.clone(), 415),
        ("a long body", good(), long, 413),
        ("another origin", replaced("origin", "http://evil.example"), text.clone(), 403),
        ("another host", replaced("host", "evil.example"), text.clone(), 403),
        ("another method", replaced("mcp-method", "tools/list"), text.clone(), 400),
        ("another name", replaced("mcp-name", "report"), text.clone(), 400),
        ("an unknown version", replaced("mcp-protocol-version", "2099-01-01"), unknown.to_string(), 400),
        ("no stream", replaced("accept", "application/json"), text.clone(), 406),
    ];
    for (what, request, body, status) in refused {
        assert_eq!(sent(&service, request, body).await.status().as_u16(), status, "{what}");
        assert_eq!(asked(&service, ask.clone()).await["result"]["structuredContent"], 5, "after {what}");
    }
    let reply = asked(&service, modern(request(1, "no/such/method", json!({})))).await;
    assert_eq!(reply["error"]["code"], -32601);
}

#[tokio::test]
async fn a_request_without_a_session_names_its_client() {
    let records = Records::default();
    let server = Server::new(built(records.of(Dispatcher::builder().tools(tools![super::add]))));
    let service: Service = StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config());
    let mut ask = sum(1);
    ask["params"]["_meta"] = json!({"io.modelcontextprotocol/clientInfo": {"name": "editor", "version": "2"}});
    assert_eq!(asked(&service, modern(ask)).await["result"]["structuredContent"], 5);
    assert_eq!(records.one().client().expect("a client").name(), "editor");
}
