//! No tests: requests of all versions, an endpoint without a socket, and validation of every message against its schema.

use std::collections::HashMap;
use std::sync::Mutex;

use axum::body::Body;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt as _;
use jsonschema::Validator;
use mcp_tool_runtime::http::Endpoint;
use mcp_tool_runtime::{
    CallContext, Dispatcher, DispatcherBuilder, Output, ProtocolVersion, ToolHandler, mcp, mcp_tool, tools,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::run::{ByHand, built, exact, pause};
use crate::specification;

pub(crate) const MODERN: ProtocolVersion = ProtocolVersion::V2026_07_28;

/// Add two numbers.
#[mcp_tool]
pub(crate) async fn add(a: i64, b: i64) -> i64 {
    a.wrapping_add(b)
}

/// Ask a region.
#[mcp_tool]
pub(crate) async fn ask(
    #[mcp_tool(header = "Region")] region: Option<String>,
    #[mcp_tool(header = "Limit")] limit: Option<i64>,
    #[mcp_tool(header = "Fresh")] fresh: Option<bool>,
) -> String {
    format!("{region:?} {limit:?} {fresh:?}")
}

/// Fail in a way that no model learns of.
#[mcp_tool]
pub(crate) async fn explode() -> String {
    panic!("a secret")
}

/// Report half, then all, then end.
#[mcp_tool]
pub(crate) async fn halves(
    /// Wait before each report.
    #[serde(default)]
    waits: bool,
    #[mcp_tool(context)] cx: &CallContext,
) -> String {
    for (done, message) in [(1.0, Some("half".to_owned())), (2.0, None)] {
        if waits {
            pause().await;
        }
        cx.progress(done, 2.0, message);
    }
    "done".into()
}

/// A tool that returns raw JSON over several lines.
pub(crate) fn spread(reports: bool) -> impl ToolHandler {
    let raw = RawValue::from_string("{\n  \"a\": [1,\r\n 2]}".to_owned()).expect("JSON");
    let tool = mcp::Tool::new("spread", "Written by hand.", json!({"type": "object"}));
    ByHand::new(tool.with_output_schema(json!({"type": "object"})), move |cx, _| {
        if reports {
            cx.progress(1.0, None, "two\nlines".to_owned());
        }
        Output::value(&raw)
    })
}

pub(crate) fn builder() -> DispatcherBuilder {
    exact().tools(tools![add, ask, explode, halves]).info("tests", "1.2.3")
}

pub(crate) fn dispatcher() -> Dispatcher {
    built(builder())
}

pub(crate) fn endpoint() -> Endpoint {
    Endpoint::new(dispatcher())
}

/// Returns a request as a client of this version writes it.
pub(crate) fn request(version: ProtocolVersion, method: &str, mut params: Value) -> Value {
    if version == MODERN {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = version.as_str().into();
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    }
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}

/// A call of `add` with the result 5.
pub(crate) fn sum(version: ProtocolVersion) -> Value {
    request(version, "tools/call", json!({"name": "add", "arguments": {"a": 2, "b": 3}}))
}

/// An HTTP response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    /// Returns the message of a JSON response.
    pub(crate) fn message(&self) -> Value {
        assert_eq!(self.headers["content-type"], "application/json", "{self:?}");
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the messages of an event stream.
    pub(crate) fn events(&self) -> Vec<Value> {
        assert_eq!(self.headers["content-type"], "text/event-stream", "{self:?}");
        events(&self.text)
    }

    /// Returns the error code. Panics if the response is not an error.
    pub(crate) fn code(&self) -> i64 {
        self.message()["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {self:?}"))
    }
}

pub(crate) fn events(text: &str) -> Vec<Value> {
    let events = text.strip_suffix("\n\n").unwrap_or_else(|| panic!("half an event: {text}")).split("\n\n");
    let message = |event: &str| {
        let data = event.strip_prefix("event: message\ndata: ").unwrap_or_else(|| panic!("no event: {event}"));
        assert!(!data.contains(['\n', '\r']), "not one line: {data}");
        serde_json::from_str(data).unwrap_or_else(|error| panic!("{error}: {data}"))
    };
    events.map(message).collect()
}

/// Returns the headers that a client of this version sends with a message.
pub(crate) fn headers(version: ProtocolVersion, message: &Value) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let mut say = |name: &'static str, value: &str| headers.insert(name, value.parse().expect("a header"));
    say("host", "127.0.0.1:8080");
    say("content-type", "application/json");
    say("accept", "application/json, text/event-stream");
    say("mcp-protocol-version", version.as_str());
    if version == MODERN {
        say("mcp-method", message["method"].as_str().unwrap_or_default());
        if let Some(name) = message["params"]["name"].as_str() {
            say("mcp-name", name);
        }
    }
    headers
}

pub(crate) async fn send(endpoint: &Endpoint, headers: HeaderMap, body: impl Into<Body>) -> Answer {
    let mut request = Request::post("/mcp").body(body.into()).expect("a request");
    *request.headers_mut() = headers;
    exchange(endpoint, request).await
}

pub(crate) async fn exchange(endpoint: &Endpoint, request: Request<Body>) -> Answer {
    let response = endpoint.clone().oneshot(request).await.unwrap_or_else(|never| match never {});
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.expect("a body").to_bytes();
    let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
    Answer { status: parts.status, headers: parts.headers, text }
}

/// Sends a message as a client of this version does.
pub(crate) async fn post(endpoint: &Endpoint, version: ProtocolVersion, message: &Value) -> Answer {
    send(endpoint, headers(version, message), message.to_string()).await
}

/// Asserts that the endpoint still answers a valid request.
pub(crate) async fn still_serves(endpoint: &Endpoint) {
    for version in ProtocolVersion::ALL {
        let answer = post(endpoint, version, &sum(version)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let message = answer.message();
        assert_eq!(message["result"]["content"][0]["text"], "5");
        assert_sound(version, "tools/call", &message);
    }
}

/// Validates a message from the server against the schema of its version, if there are documents of the specification.
pub(crate) fn assert_sound(version: ProtocolVersion, method: &str, message: &Value) {
    let name = |new: &'static str, old: &'static str| if version == ProtocolVersion::V2025_06_18 { old } else { new };
    let mut types = Vec::new();
    if message["method"] == "notifications/progress" {
        types.push(("ProgressNotification", message));
    } else if message.get("error").is_some() {
        // In 2025-06-18 an error must have an id, so the response to an unreadable request cannot be valid.
        if version == ProtocolVersion::V2025_06_18 && message.get("id").is_none() {
            return;
        }
        types.push((name("JSONRPCErrorResponse", "JSONRPCError"), message));
        match message["error"]["code"].as_i64() {
            Some(-32020) => types.push(("HeaderMismatchError", message)),
            Some(-32022) => types.push(("UnsupportedProtocolVersionError", message)),
            _ => {}
        }
    } else {
        types.push((name("JSONRPCResultResponse", "JSONRPCResponse"), message));
        let result = match method {
            "initialize" => "InitializeResult",
            "server/discover" => "DiscoverResult",
            "tools/list" => "ListToolsResult",
            "tools/call" => "CallToolResult",
            "ping" => "EmptyResult",
            other => panic!("no result of {other}: {message}"),
        };
        types.push((result, &message["result"]));
    }
    for (name, document) in types {
        if name.ends_with("Error") && version != MODERN && name != "JSONRPCError" {
            continue;
        }
        validated(version, name, document);
    }
}

/// Schemas by version and type.
type Schemas = HashMap<(ProtocolVersion, &'static str), Validator>;

fn validated(version: ProtocolVersion, name: &'static str, document: &Value) {
    static KNOWN: Mutex<Option<Schemas>> = Mutex::new(None);
    if !specification::is_available() {
        return;
    }
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let schema = known.get_or_insert_default();
    let schema = schema.entry((version, name)).or_insert_with(|| specification::schema_of(version, name));
    specification::assert_valid(schema, document, &format!("{version} {name}"));
}
