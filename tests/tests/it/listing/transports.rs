//! No tests: one message to a dispatcher over each server of the crate, on behalf of a caller.

#![allow(clippy::wrong_self_convention, reason = "the trait is on a `Copy` type")]

use std::sync::Arc;

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, Request};
use http_body_util::{BodyExt as _, Full};
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::protocol::Protocol;
use mcp_tool_runtime::{Dispatcher, Extensions, ProtocolVersion, rmcp as sdk, stdio};
use rmcp::ServiceExt as _;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tower::ServiceExt as _;

use crate::listing::Caller;

/// The servers that answer JSON-RPC messages.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Carrier {
    Protocol,
    Endpoint,
    Stdio,
    SdkHttp,
    SdkStdio,
}

impl Carrier {
    pub(crate) const ALL: [Self; 5] = [Self::Protocol, Self::Endpoint, Self::Stdio, Self::SdkHttp, Self::SdkStdio];

    /// Sends one request to a new server, and returns the bytes of the answer: over HTTP with the status before it.
    pub(crate) async fn ask(
        self,
        dispatcher: &Dispatcher,
        caller: Option<&Caller>,
        version: ProtocolVersion,
        message: &Value,
    ) -> String {
        match self {
            Self::Protocol => {
                let mut extensions = Extensions::new();
                if let Some(caller) = caller {
                    extensions.insert(caller.clone());
                }
                let answer =
                    Protocol::new(dispatcher.clone()).answer_with(message.to_string().as_bytes(), extensions).await;
                String::from_utf8(answer.expect("an answer")).expect("UTF-8")
            }
            Self::Endpoint => ask_endpoint(&Endpoint::new(dispatcher.clone()), caller, version, message).await,
            Self::Stdio => {
                let mut server = stdio::Server::new(dispatcher.clone());
                if let Some(caller) = caller {
                    server = server.with_extension(caller.clone());
                }
                let (near, far) = tokio::io::duplex(1 << 16);
                let (input, output) = tokio::io::split(far);
                let running = tokio::spawn(server.serve_on(input, output));
                let answer = exchange_lines(near, version, message).await;
                running.await.expect("no panic").expect("no error");
                answer
            }
            Self::SdkStdio => {
                let mut server = sdk::Server::new(dispatcher.clone());
                if let Some(caller) = caller {
                    server = server.with_extension(caller.clone());
                }
                let (near, far) = tokio::io::duplex(1 << 16);
                let running = tokio::spawn(async move {
                    if let Ok(running) = server.serve(far).await {
                        let _ = running.waiting().await;
                    }
                });
                let answer = exchange_lines(near, version, message).await;
                running.await.expect("no panic");
                answer
            }
            Self::SdkHttp => {
                let server = sdk::Server::new(dispatcher.clone());
                let config =
                    StreamableHttpServerConfig::default().with_legacy_session_mode(false).with_json_response(true);
                let service: StreamableHttpService<_, LocalSessionManager> =
                    StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config);
                let response = service.handle(post(caller, version, message, Full::<Bytes>::from)).await;
                let status = response.status();
                let body = response.into_body().collect().await.expect("a body").to_bytes();
                format!("{status} {}", String::from_utf8_lossy(&body))
            }
        }
    }
}

/// Sends one request to an endpoint. The answer has the status, the header `WWW-Authenticate` if there is one, and the body.
pub(crate) async fn ask_endpoint(
    endpoint: &Endpoint,
    caller: Option<&Caller>,
    version: ProtocolVersion,
    message: &Value,
) -> String {
    let request = post(caller, version, message, Body::from);
    let response = endpoint.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
    let (parts, body) = response.into_parts();
    let challenge = parts.headers.get("www-authenticate").map(|value| format!(" [{}]", value.to_str().expect("ASCII")));
    let body = body.collect().await.expect("a body").to_bytes();
    format!("{}{} {}", parts.status, challenge.unwrap_or_default(), String::from_utf8_lossy(&body))
}

fn post<B>(
    caller: Option<&Caller>,
    version: ProtocolVersion,
    message: &Value,
    body: impl Fn(String) -> B,
) -> Request<B> {
    let mut headers = HeaderMap::new();
    let mut say = |name: &'static str, value: &str| headers.insert(name, value.parse().expect("a header"));
    say("host", "localhost:8000");
    say("content-type", "application/json");
    say("accept", "application/json, text/event-stream");
    say("mcp-protocol-version", version.as_str());
    if !version.is_legacy_here() {
        say("mcp-method", message["method"].as_str().unwrap_or_default());
        if let Some(name) = message["params"]["name"].as_str() {
            say("mcp-name", name);
        }
    }
    let mut request = Request::post("/").body(body(message.to_string())).expect("a request");
    *request.headers_mut() = headers;
    if let Some(caller) = caller {
        request.extensions_mut().insert(caller.clone());
    }
    request
}

/// Sends a request over a stream of lines, in the older versions after a handshake, and closes the stream.
pub(crate) async fn exchange_lines(
    stream: tokio::io::DuplexStream,
    version: ProtocolVersion,
    message: &Value,
) -> String {
    let (answers, mut requests) = tokio::io::split(stream);
    let mut answers = BufReader::new(answers).lines();
    let mut send =
        async |message: &Value| requests.write_all(format!("{message}\n").as_bytes()).await.expect("a write");
    if version.is_legacy_here() {
        let client = json!({"name": "test", "version": "0"});
        let params = json!({"protocolVersion": version.as_str(), "capabilities": {}, "clientInfo": client});
        send(&json!({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": params})).await;
        answers.next_line().await.expect("a line").expect("an answer");
        send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    }
    send(message).await;
    let answer = answers.next_line().await.expect("a line").expect("an answer");
    requests.shutdown().await.expect("a shutdown");
    answer
}

/// Returns a request as a client of this version writes it.
pub(crate) fn request(version: ProtocolVersion, method: &str, mut params: Value) -> Value {
    if !version.is_legacy_here() {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": version.as_str(),
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}

trait Era {
    /// Returns `true` for a version with a handshake.
    fn is_legacy_here(self) -> bool;
}

impl Era for ProtocolVersion {
    fn is_legacy_here(self) -> bool {
        self < Self::V2026_07_28
    }
}
