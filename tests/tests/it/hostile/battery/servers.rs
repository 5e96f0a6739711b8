//! The hostile set over the endpoint and over both transports of the official SDK: the same answers as from the dispatcher.

use std::sync::Arc;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::mcp::Icon;
use mcp_tool_runtime::{Dispatcher, Output, ProtocolVersion, mcp, rmcp::Server};
use mcp_tool_tests::size;
use rmcp::ServiceExt as _;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tower::ServiceExt as _;

use super::answers::{answer, check, params};
use super::{Class, bases, dispatcher};
use crate::run;

const VERSION: ProtocolVersion = ProtocolVersion::V2025_11_25;

/// The size of the arguments, in bytes.
const BYTES: usize = 4_000;

/// The tools of the hostile set differ in their arguments, which a server does not look into. So each server gets a quarter of them.
fn some_bases(dispatcher: &Dispatcher) -> impl Iterator<Item = (String, Value)> {
    bases(dispatcher).into_iter().step_by(size(4, 1))
}

fn request(id: usize, name: &str, arguments: &str) -> String {
    let params = params(name, arguments);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
}

#[tokio::test]
async fn i4_the_endpoint_answers_the_hostile_set_as_the_dispatcher_does() {
    let dispatcher = dispatcher(false);
    let endpoint = Endpoint::new(dispatcher.clone());
    for (name, base) in some_bases(&dispatcher) {
        for class in Class::ALL {
            let arguments = class.arguments(&base, BYTES);
            let expected = answer(&dispatcher, &name, &arguments, VERSION);
            let request = Request::post("/mcp")
                .header("host", "localhost")
                .header("content-type", "application/json")
                .header("mcp-protocol-version", VERSION.as_str())
                .body(Full::new(Bytes::from(request(7, &name, &arguments))))
                .expect("a request");
            let response = endpoint.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
            assert_eq!(response.status(), 200, "{name} {class:?}");
            let body = response.into_body().collect().await.expect("a body").to_bytes();
            let message: Value = serde_json::from_slice(&body).expect("JSON");
            assert_eq!(message["result"], expected, "{name} {class:?}");
        }
    }
}

/// A session with the official SDK, after its greeting: the lines of the server, and the way to it.
async fn session(dispatcher: Dispatcher) -> (Lines<BufReader<ReadHalf<DuplexStream>>>, WriteHalf<DuplexStream>) {
    let (near, far) = tokio::io::duplex(1 << 20);
    let server = Server::new(dispatcher);
    tokio::spawn(async move { server.serve(far).await.expect("a session").waiting().await });
    let (replies, mut requests) = tokio::io::split(near);
    let mut replies = BufReader::new(replies).lines();
    let hello =
        json!({"protocolVersion": VERSION.as_str(), "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}});
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    requests.write_all(format!("{hello}\n").as_bytes()).await.expect("a write");
    replies.next_line().await.expect("a line").expect("the answer to the greeting");
    requests.write_all(format!("{ready}\n").as_bytes()).await.expect("a write");
    (replies, requests)
}

#[tokio::test]
async fn i4_the_adapter_for_the_sdk_answers_the_hostile_set_as_the_dispatcher_does() {
    let dispatcher = dispatcher(false);
    let (mut replies, mut requests) = session(dispatcher.clone()).await;
    let mut id = 0;
    for (name, base) in some_bases(&dispatcher) {
        for class in Class::ALL {
            id += 1;
            let arguments = class.arguments(&base, BYTES);
            let expected = answer(&dispatcher, &name, &arguments, VERSION);
            requests.write_all((request(id, &name, &arguments) + "\n").as_bytes()).await.expect("a write");
            let reply = replies.next_line().await.expect("a line").expect("the server lives");
            let reply: Value = serde_json::from_str(&reply).expect("JSON");
            assert_eq!(reply["id"], id, "{name} {class:?}: {reply}");
            // The SDK reads a document before the adapter does: of a key that is there twice it keeps the last value.
            if class != Class::Duplicates {
                assert_eq!(reply["result"], expected, "{name} {class:?}: {reply}");
            }
            check(reply["result"].to_string().as_bytes());
        }
    }
}

#[tokio::test]
async fn i4_the_adapter_over_the_sdks_http_answers_the_hostile_set_as_the_dispatcher_does() {
    let dispatcher = dispatcher(false);
    let server = Server::new(dispatcher.clone());
    let config = StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
    let service: StreamableHttpService<_, LocalSessionManager> =
        StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config);
    for (name, base) in some_bases(&dispatcher) {
        for class in Class::ALL {
            let arguments = class.arguments(&base, BYTES);
            let expected = answer(&dispatcher, &name, &arguments, VERSION);
            let request = Request::post("/")
                .header("host", "localhost:8000")
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream")
                .header("mcp-protocol-version", VERSION.as_str())
                .body(Full::new(Bytes::from(request(7, &name, &arguments))))
                .expect("a request");
            let response = service.handle(request).await;
            assert_eq!(response.status(), 200, "{name} {class:?}");
            let body = response.into_body().collect().await.expect("a body").to_bytes();
            let message: Value = serde_json::from_slice(&body).expect("JSON");
            assert_eq!(message["id"], 7, "{name} {class:?}");
            // As over stdio, the SDK keeps the last value of a key that is there twice.
            if class != Class::Duplicates {
                assert_eq!(message["result"], expected, "{name} {class:?}: {message}");
            }
            check(message["result"].to_string().as_bytes());
        }
    }
}

#[tokio::test]
async fn an_icon_of_a_theme_that_the_sdk_does_not_know_is_listed_without_it() {
    let icons = [
        Icon::new("https://a.example/1.png").with_theme("sepia"),
        Icon::new("https://a.example/2.png").with_theme("dark"),
    ];
    let tool = mcp::Tool::new("shown", "Written by hand.", json!({"type": "object"}));
    let hints = mcp::ToolAnnotations::default().with_read_only_hint(true).with_open_world_hint(false);
    let tool = icons.into_iter().fold(tool.with_annotations(hints), mcp::Tool::with_icon);
    let dispatcher = run::built(run::exact().tool(run::ByHand::new(tool, |_, _| Output::value(1))));
    let (mut replies, mut requests) = session(dispatcher).await;
    requests.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n").await.expect("a write");
    let reply = replies.next_line().await.expect("a line").expect("the server lives");
    let reply: Value = serde_json::from_str(&reply).expect("JSON");
    let tool = &reply["result"]["tools"][0];
    let expected = json!([{"src": "https://a.example/1.png"}, {"src": "https://a.example/2.png", "theme": "dark"}]);
    assert_eq!(tool["icons"], expected, "{reply}");
    assert_eq!(tool["annotations"], json!({"readOnlyHint": true, "openWorldHint": false}));
}
